//! Plain data: structs whose bytes are the message, each with a table of its fields for comparison with a client's.
#![expect(unsafe_code)]

/// The type of a value, for programs that describe it in another form than C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number of this many bytes, from 0.
    Unsigned(u32),
    /// A number of this many bytes, which may be below 0.
    Signed(u32),
    /// An array of this many values of one type.
    Array(&'static Type, u32),
    /// A struct with this shape.
    Struct(&'static Shape),
    /// The address of one value or several.
    Pointer(&'static Type),
    /// A value that does not travel.
    Opaque,
}

impl Type {
    /// The number of bytes of a value.
    pub const fn size(self) -> u32 {
        match self {
            Type::Unsigned(size) | Type::Signed(size) => size,
            Type::Array(of, count) => of.size() * count,
            Type::Struct(shape) => shape.size,
            Type::Pointer(_) => 8,
            Type::Opaque => 0,
        }
    }
}

/// A type that describes itself.
pub trait Typed {
    /// The description of the type.
    const TYPE: Type;
}

/// Plain data without padding, valid for every bit pattern, shared with C as it lies in memory.
///
/// # Safety
/// The type has no padding, no invalid bit pattern and no Rust reference; `pod!` proves the first two.
pub unsafe trait Pod: Typed + Copy + Send + Sync + 'static {
    /// The value whose bytes are all zero.
    fn zeroed() -> Self {
        // SAFETY: every bit pattern is valid, all zero included.
        unsafe { core::mem::zeroed() }
    }
}

macro_rules! pod_numbers {
    ($kind:ident: $($number:ty)*) => { $(
        impl Typed for $number {
            const TYPE: Type = Type::$kind(size_of::<$number>() as u32);
        }
        // SAFETY: an integer has no padding and no invalid bit pattern.
        unsafe impl Pod for $number {}
    )* };
}
pod_numbers!(Unsigned: u8 u16 u32 u64);
pod_numbers!(Signed: i8 i16 i32 i64);

impl<T: Typed, const N: usize> Typed for [T; N] {
    const TYPE: Type = Type::Array(&T::TYPE, N as u32);
}

// SAFETY: an array of plain data has no padding between or after its elements.
unsafe impl<T: Pod, const N: usize> Pod for [T; N] {}

/// One field of a struct that crosses the border: `amazons_setup.num_vertices`, at 128, 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the struct and of the field, as in the C header.
    pub name: &'static str,
    /// The offset from the start of the struct, in bytes.
    pub offset: u32,
    /// The size in bytes.
    pub size: u32,
    /// The type of the field.
    pub kind: Type,
}

impl Field {
    /// The name of the field without that of the struct.
    pub fn own_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }
}

/// The size and the fields of one struct that crosses the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Name of the struct in C.
    pub name: &'static str,
    /// The size in bytes.
    pub size: u32,
    /// The fields in order of their offsets.
    pub fields: &'static [Field],
}

/// A struct that knows its own layout, as `pod!` makes it.
pub trait Layout: Pod {
    /// The name, size and fields.
    const SHAPE: Shape;
}

/// The bytes of a value.
pub fn bytes_of<T: Pod>(value: &T) -> &[u8] {
    bytes_of_slice(core::slice::from_ref(value))
}

/// The bytes of all values of a slice.
pub fn bytes_of_slice<T: Pod>(values: &[T]) -> &[u8] {
    // SAFETY: plain data has no padding, so that every byte is initialised; the length is that of the slice.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The value whose bytes stand at the start of `bytes`; `None` if there are too few.
pub fn read<T: Pod>(bytes: &[u8]) -> Option<T> {
    if bytes.len() < size_of::<T>() {
        return None;
    }
    // SAFETY: there are enough bytes, every bit pattern is valid, and the read asks for no alignment.
    Some(unsafe { bytes.as_ptr().cast::<T>().read_unaligned() })
}

/// Declares a `repr(C)` struct as plain data, with its C name and field table; padding does not compile.
///
/// ```
/// agon_abi::pod! {
///     /// A point.
///     pub struct Point = "point" {
///         /// Column.
///         pub x: u32,
///         /// Row.
///         pub y: u32,
///     }
/// }
/// assert_eq!(<Point as agon_abi::Layout>::SHAPE.fields[1].name, "point.y");
/// ```
#[macro_export]
macro_rules! pod {
    ($(#[$outer:meta])* pub struct $name:ident = $c_name:literal {
        $($(#[$inner:meta])* pub $field:ident : $kind:ty),* $(,)?
    }) => {
        $(#[$outer])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name { $($(#[$inner])* pub $field: $kind),* }

        const _: () = assert!(
            size_of::<$name>() == 0 $(+ size_of::<$kind>())*,
            concat!($c_name, " has padding: name it as a field"),
        );

        impl $crate::Typed for $name {
            const TYPE: $crate::Type = $crate::Type::Struct(&<$name as $crate::Layout>::SHAPE);
        }

        // SAFETY: repr(C), every field is plain data (held below) and there is no padding (held above).
        #[allow(unsafe_code)]
        unsafe impl $crate::Pod for $name {}
        const _: fn() = || {
            fn is_pod<T: $crate::Pod>() {}
            $(is_pod::<$kind>();)*
        };

        impl $crate::Layout for $name {
            const SHAPE: $crate::Shape = $crate::Shape {
                name: $c_name,
                size: size_of::<$name>() as u32,
                fields: &[$($crate::Field {
                    name: concat!($c_name, ".", stringify!($field)),
                    offset: core::mem::offset_of!($name, $field) as u32,
                    size: size_of::<$kind>() as u32,
                    kind: <$kind as $crate::Typed>::TYPE,
                }),*],
            };
        }
    };
}
