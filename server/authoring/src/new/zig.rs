//! The contract for a client in Zig: the structs of its game, made from the same description that the server uses, and
//! the few lines of C that export it.

use agon_abi::{Shape, Type};
use agon_games::Facts;

/// The text of `agon.zig`.
pub fn declarations(facts: &Facts) -> String {
    let mut shapes = Vec::new();
    for shape in [&facts.setup, &facts.turn, &facts.mv] {
        collect(*shape, &mut shapes);
    }
    let name = facts.name;
    let mut text = format!(
        "//! What agon and a client of {name} say to each other, as in include/agon/{name}.h, which says what each field\n\
         //! means. Made by agon new; contract.c holds that both agree.\n\
         const std = @import(\"std\");\n\n\
         pub const Setup = {};\npub const Turn = {};\npub const Move = {};\n\n\
         /// Keeps a number with the ply, in the record of the match; the keys value, depth, nodes are for what they say.\n\
         pub extern fn log_number(key: [*:0]const u8, number: i64) void;\n\
         /// Microseconds used in the running call.\n\
         pub extern fn cpu_us() u64;\n",
        facts.setup.name, facts.turn.name, facts.mv.name,
    );
    for shape in shapes {
        text += &format!("\npub const {} = extern struct {{\n", shape.name);
        for field in shape.fields {
            let kind = in_zig(field.kind);
            let unset = match field.kind {
                Type::Unsigned(_) | Type::Signed(_) => "0".to_owned(),
                _ => format!("std.mem.zeroes({kind})"),
            };
            text += &format!("    {}: {kind} = {unset},\n", field.own_name());
        }
        text += "};\n";
    }
    text
}

/// The text of `contract.c`.
pub fn contract(game: &str) -> String {
    format!(
        "/* Exports the four functions as a client of agon, and gives Zig what the header has as inline functions. */\n\
         #include <agon/{game}.h>\n\n\
         AGON_CLIENT({game})\n\n\
         void log_number(const char *key, int64_t number);\n\
         void log_number(const char *key, int64_t number) {{ agon_log_number(key, number); }}\n\n\
         uint64_t cpu_us(void);\n\
         uint64_t cpu_us(void) {{ return agon_cpu_us(); }}\n"
    )
}

/// A struct and all that its fields are made of, each once.
fn collect(shape: Shape, shapes: &mut Vec<Shape>) {
    if shapes.iter().any(|known| known.name == shape.name) {
        return;
    }
    shapes.push(shape);
    for field in shape.fields {
        let mut kind = field.kind;
        while let Type::Array(of, _) | Type::Pointer(of) = kind {
            kind = *of;
        }
        if let Type::Struct(inner) = kind {
            collect(*inner, shapes);
        }
    }
}

fn in_zig(kind: Type) -> String {
    match kind {
        Type::Unsigned(size) => format!("u{}", 8 * size),
        Type::Signed(size) => format!("i{}", 8 * size),
        Type::Array(of, count) => format!("[{count}]{}", in_zig(*of)),
        Type::Struct(shape) => shape.name.to_owned(),
        Type::Pointer(Type::Opaque) => "?*const anyopaque".to_owned(),
        // NULL where there is nothing, as in C.
        Type::Pointer(to) => format!("[*c]const {}", in_zig(*to)),
        Type::Opaque => "anyopaque".to_owned(),
    }
}
