//! The layout of a game's types in the description of `abi_stable`: every client in Rust exports it, and `agon-admit`
//! compares it.
//!
//! In addition to `agon_client`, `export_client!` exports the header in which `abi_stable` keeps the layout of a
//! library's root module, under the symbol that `abi_stable` gives it ([`SYMBOL`]). The root module is [`Types`] of the
//! setup, turn and move structs of `agon-games`. It has no function and no data; only its layout is ever read. The
//! structs' heads are opaque there. The descriptor's table of fields compares them, as it compares everything for
//! clients in C.
//!
//! [`compare`] is the other side. It is safe to call on any file that can be loaded. It runs the file's initialisers,
//! so its caller enters a sandbox first. It believes the description in the file: a client that lies about itself harms
//! only itself.

use crate::Playable;
use crate::amazons::Amazons;
use crate::grundy::Grundy;
use crate::mastermind::Mastermind;
use crate::six_qui_prend::SixQuiPrend;
use crate::tirs_croises::TirsCroises;
use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::{
    AbiInstability, AbiInstabilityError, ExpectedFound, check_layout_compatibility,
};
use abi_stable::library::{
    LibHeader, LibraryError, ROOT_MODULE_LOADER_NAME, RootModule, RootModuleError, RootModuleResult, RootModuleStatics,
    lib_header_from_path,
};
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::{RBoxError, RErr};
use abi_stable::type_layout::{TLField, TLFieldOrFunction, TypeLayout};
use std::marker::PhantomData;
use std::path::Path;

#[doc(hidden)]
pub use abi_stable::library::LibHeader as Header;

/// The symbol of the layout: `agon-admit` need not look for it, because [`compare`] does.
pub const SYMBOL: &str = ROOT_MODULE_LOADER_NAME;

/// The types of a game: the root module, in `abi_stable`'s words.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = TypesRef, prefix_fields = TypesPrefix)))]
#[sabi(missing_field(panic))]
pub struct Types<S, T, M> {
    /// The setup struct.
    pub setup: PhantomData<S>,
    /// The turn struct.
    pub turn: PhantomData<T>,
    /// The move struct.
    #[sabi(last_prefix_field)]
    pub mv: PhantomData<M>,
}

/// A game whose types know their layout.
pub trait HasLayout: Playable<RawSetup: StableAbi, RawTurn: StableAbi, Move: StableAbi> {}
impl<G: Playable<RawSetup: StableAbi, RawTurn: StableAbi, Move: StableAbi>> HasLayout for G {}

/// [`Types`] of a game, as its library exports them.
pub type TypesOf<G> = TypesRef<<G as Playable>::RawSetup, <G as Playable>::RawTurn, <G as Playable>::Move>;

impl<S: StableAbi + 'static, T: StableAbi + 'static, M: StableAbi + 'static> RootModule for TypesRef<S, T, M> {
    const BASE_NAME: &'static str = "agon_client";
    const NAME: &'static str = "agon_client";
    // The version belongs to the layout's description, not to this package: later versions still compare a client
    // compiled today.
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");

    fn root_module_statics() -> &'static RootModuleStatics<Self> {
        unreachable!("a client is not loaded as a module; its layout is compared")
    }
}

/// The header's constructor: there is nothing to construct.
#[doc(hidden)]
pub extern "C" fn no_module() -> RootModuleResult {
    RErr(RootModuleError::Returned(RBoxError::from_fmt(&"a client has no module, only a layout")))
}

/// The layout of a library's types, if nothing differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It is the layout of this program.
    Same,
    /// It has none: a client in C.
    NotExported,
}

/// Why a library's layout differs from this program's: text of several lines for the author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference(
    /// The text.
    pub String,
);

/// Compares the layout that a library exports with that of a game's types in this program.
///
/// Loads the file with `dlopen` (lazy, local) and never unloads it; a file that is already open is not loaded again.
/// A game without layout in this program counts as `NotExported`.
///
/// # Errors
/// The difference, as `abi_stable` prints it; or a sentence, if the file cannot be loaded or carries another
/// `abi_stable`.
pub fn compare(file: &Path, game: &str) -> Result<Checked, Difference> {
    let Some(expected) = expected(game) else { return Ok(Checked::NotExported) };
    let header: &LibHeader = match lib_header_from_path(file) {
        Ok(header) => header,
        Err(LibraryError::GetSymbolError { .. }) => return Ok(Checked::NotExported),
        Err(error) => return Err(Difference(error.to_string())),
    };
    let Some(found) = header.layout() else { return Ok(Checked::NotExported) };
    let Err(mut difference) = check_layout_compatibility(expected, found) else { return Ok(Checked::Same) };
    // A new version of the package is not another layout.
    for error in &mut difference.errors {
        error.errs.retain(|error| !matches!(error, AbiInstability::PackageVersion(_)));
    }
    difference.errors.retain(|error| !error.errs.is_empty());
    if difference.errors.is_empty() {
        Ok(Checked::Same)
    } else {
        Err(Difference(difference.errors.into_iter().map(describe).collect()))
    }
}

/// The type that differs, how, and its fields on both sides.
fn describe(mut error: AbiInstabilityError) -> String {
    // The path to the type contains the layout of everything on it, which is too long to read.
    let innermost = std::mem::take(&mut error.stack_trace).pop();
    let mut text = String::new();
    if let Some(ExpectedFound {
        expected: TLFieldOrFunction::Field(expected),
        found: TLFieldOrFunction::Field(found),
    }) = innermost
    {
        text += &format!("{} here:   {}\n", expected.layout().name(), list(expected.layout()));
        text += &format!("{} client: {}\n", found.layout().name(), list(found.layout()));
    }
    for line in error.to_string().lines().filter(|line| !line.trim().is_empty()) {
        text += &format!("  {line}\n");
    }
    text
}

fn list(layout: &'static TypeLayout) -> String {
    let field = |field: TLField| format!("{}: {} bytes", field.name(), field.layout().size());
    let fields: Vec<_> = layout.get_fields().into_iter().flat_map(|fields| fields.iter().map(field)).collect();
    format!("{} bytes; {}", layout.size(), fields.join(", "))
}

fn expected(game: &str) -> Option<&'static TypeLayout> {
    fn entry<G: HasLayout>() -> (&'static str, &'static TypeLayout) {
        (G::NAME.to_str().unwrap_or_default(), <TypesOf<G> as StableAbi>::LAYOUT)
    }
    let entries =
        [entry::<Amazons>(), entry::<SixQuiPrend>(), entry::<Mastermind>(), entry::<Grundy>(), entry::<TirsCroises>()];
    entries.into_iter().find(|(name, _)| *name == game).map(|(_, layout)| layout)
}
