//! The language between `lower` and `emit`.
//!
//! ```text
//! Function ::= Param* Block
//! Block    ::= Stmt* Atom?
//! Stmt     ::= let x = Value | place = Atom | let x = &place | if/match/for/while/loop | exit | call | …
//! Value    ::= Atom | load Place | op Atom* | aggregate Atom* | verbatim Rust
//! Place    ::= variable (index | field | deref | range)*
//! ```
//!
//! Invariants, which `lower` establishes and every later pass keeps:
//!
//! 1. Operands are atoms: variables, or text that no derivative flows through.
//! 2. Every variable has a name of its own; a shadowing `let x = x * x` makes another variable.
//! 3. A variable that is not `mutable` has one definition, which dominates its uses. A variable
//!    operand is never `mutable`: reading a mutable variable is a `Load` into a temporary.
//! 4. Every variable of the user has the user's type in the forward sweep, so that verbatim code
//!    means there what it meant in the function.
//! 5. The condition block of a `While` only defines temporaries; any other `while` is a `Loop`.

mod handed;
mod tape;
mod ty;

pub use handed::{CalledParam, Handed, Lambda};
pub use tape::*;
pub use ty::Ty;

use proc_macro2::{Ident, Span, TokenStream};

/// A variable of the function, or a temporary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub usize);

/// A `for`, `while` or `loop` of the function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoopId(pub usize);

/// What a variable is to the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A parameter.
    Param,
    /// Bound by the user, or standing for the function's result.
    Local,
    /// Made by `lower` for an operand.
    Temp,
    /// A reference to a place: `let row = &w[a..b]`. Not a value of its own.
    Alias,
}

/// A variable and what is known of it.
#[derive(Clone, Debug)]
pub struct Var {
    /// The user's identifier, or a fresh one; unique in the function.
    pub name: Ident,
    /// Its type.
    pub ty: Ty,
    /// Its role.
    pub role: Role,
    /// Whether it may change after its definition.
    pub mutable: bool,
    /// Whether the pattern of a `match` arm defines it, so that its definition is not printed.
    pub by_pattern: bool,
    /// Whether it is declared without a value, and gets one once.
    pub once: bool,
    /// Whether carried code gave it, of a type that is not known: it may refer to data that the reverse
    /// sweep does not have.
    pub carried: bool,
    /// The type that the user wrote, lifetimes elided.
    pub written: Option<syn::Type>,
    /// The tokens to blame.
    pub span: Span,
}

/// A function in the IR.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its variables, by id.
    pub vars: Vec<Var>,
    /// Its parameters, in order.
    pub params: Vec<VarId>,
    /// The variable that takes the result, in a function with `return`.
    pub returns: Option<VarId>,
    /// The body; its result is the function's.
    pub body: Block,
}

impl Function {
    /// The variable with this id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0]
    }

    /// The type of a place's contents, as far as it is known.
    pub fn place_ty(&self, place: &Place) -> Ty {
        let Some(var) = place.var() else {
            return Ty::Unknown;
        };
        let mut ty = self.var(var).ty.clone();
        for step in &place.path {
            ty = match step {
                Step::Index(_) => ty.element(),
                Step::Deref => match ty {
                    Ty::Ref { to, .. } => *to,
                    other => other,
                },
                Step::Field(syn::Member::Unnamed(index)) => ty.field(index.index as usize),
                Step::Field(_) | Step::Payload(_) | Step::Held => Ty::Unknown,
                Step::View { .. } => Ty::Named,
                Step::Range { .. } => Ty::Slice(Box::new(ty.element())),
            };
        }
        ty
    }
}

/// Statements in order, and the value of the block if it has one.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The value.
    pub result: Option<Atom>,
}

/// An operand.
#[derive(Clone, Debug)]
pub enum Atom {
    /// An immutable variable.
    Var(VarId),
    /// A literal, constant or other text that mentions no variable.
    Text(TokenStream, Ty),
}

impl Atom {
    /// The variable, if it is one.
    pub fn var(&self) -> Option<VarId> {
        match self {
            Atom::Var(id) => Some(*id),
            Atom::Text(..) => None,
        }
    }
}

/// A memory location.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// The way from there.
    pub path: Vec<Step>,
}

impl Place {
    /// The variable itself.
    pub fn of(var: VarId) -> Self {
        Place { root: Root::Var(var), path: Vec::new() }
    }

    /// The place one step further.
    pub fn then(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    /// The variable it starts from, if any.
    pub fn var(&self) -> Option<VarId> {
        match self.root {
            Root::Var(id) => Some(id),
            Root::Path(_) => None,
        }
    }
}

/// Where a place starts.
#[derive(Clone, Debug)]
pub enum Root {
    /// A variable.
    Var(VarId),
    /// A constant or static of the program.
    Path(TokenStream),
}

/// One step into a place.
#[derive(Clone, Debug)]
pub enum Step {
    /// `[i]`
    Index(Atom),
    /// `.0`, `.name`
    Field(syn::Member),
    /// What the pattern binds to `part`, in a value that it matches: `Shape::Circle(part)`.
    Payload(Box<syn::Pat>),
    /// What an `Option` or `Result` holds, where it is not known which of them it is.
    Held,
    /// `*`
    Deref,
    /// `.row(i)` and the like, of data: a view that is made again where it is needed.
    View { method: Ident, args: Vec<Atom> },
    /// `[lo..hi]`; `..=hi` when inclusive.
    Range { lo: Option<Atom>, hi: Option<Atom>, inclusive: bool },
}

/// What a definition computes.
#[derive(Clone, Debug)]
pub enum Value {
    /// A copy of an operand.
    Atom(Atom),
    /// The contents of a place, copied or moved as Rust does.
    Load(Place),
    /// `place.clone()`, `place.to_vec()`: the method is the user's.
    Copy { place: Place, method: Ident },
    /// `-a`, `!a`
    Unary(syn::UnOp, Atom),
    /// `a + b`, `a < b`, …
    Binary(syn::BinOp, Atom, Atom),
    /// `a * &b`, `-a` on types of the user, with the operands that are handed over by reference.
    Operator { op: Operator, args: Vec<(Atom, bool)> },
    /// `a.method(b, c)` on scalars.
    Method { name: Ident, args: Vec<Atom> },
    /// `f64::from(a)` and the like, of arguments without derivative.
    Function { path: TokenStream, args: Vec<Atom> },
    /// `a as T`
    Cast(Atom, Box<syn::Type>),
    /// `place.len()`, `place.is_empty()`
    Length { place: Place, method: Ident },
    /// `matches!(place, pat)`; without a pattern, whether an `Option` or `Result` holds something.
    Test { place: Place, pat: Option<Box<syn::Pat>> },
    /// `[a, b]`, `vec![a, b]`
    Array { elems: Vec<Atom>, heap: bool },
    /// `[a; n]`, `vec![a; n]`
    Repeat { elem: Atom, len: Atom, heap: bool },
    /// `(a, b)`
    Tuple(Vec<Atom>),
    /// `Point { x: a, y: b }`, `Point(a, b)`, `Shape::Circle(a)`
    Struct { maker: Maker, parts: Vec<Atom> },
    /// The order into which `sort_by(code)` brings the elements of a place, or `sort_by_key(code)`.
    Order { place: Place, by_key: bool, code: Verbatim },
    /// Code that no derivative flows through.
    Verbatim(Verbatim),
    /// A value that only the reverse sweep computes.
    Reverse(Reverse),
    /// A tangent.
    Tangent(Tangent),
}

/// What makes a value of a struct or a variant of its parts.
#[derive(Clone, Debug)]
pub struct Maker {
    /// The struct or variant.
    pub path: syn::Path,
    /// Its fields, in the order in which they are written.
    pub members: Vec<syn::Member>,
    /// Whether it is written as a call: `Point(a, b)`.
    pub call: bool,
}

impl Maker {
    /// The way from a value to part `k`.
    pub fn part(&self, k: usize) -> Step {
        if self.is_box() {
            return Step::Deref;
        }
        if !self.may_be_variant() {
            return Step::Field(self.members[k].clone());
        }
        let (path, part) = (&self.path, quote::quote!(part));
        let pat = match &self.members[k] {
            syn::Member::Named(name) => syn::parse_quote!(#path { #name: #part, .. }),
            syn::Member::Unnamed(index) => {
                let before = (0..index.index).map(|_| quote::quote!(_,));
                syn::parse_quote!(#path(#(#before)* #part, ..))
            }
        };
        Step::Payload(Box::new(pat))
    }

    /// Whether it is `Box::new`.
    pub fn is_box(&self) -> bool {
        let mut names = self.path.segments.iter().rev().map(|segment| &segment.ident);
        self.call
            && names.next().is_some_and(|name| name == "new")
            && names.next().is_some_and(|name| name == "Box")
    }

    /// Whether the path may name a variant: `Some`, `Shape::Circle`.
    fn may_be_variant(&self) -> bool {
        let names: Vec<String> =
            self.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match &names[..] {
            [single] => ["Some", "Ok", "Err"].contains(&single.as_str()),
            [.., holder, _] => holder.starts_with(char::is_uppercase),
            [] => false,
        }
    }
}

/// Rust carried as it is.
#[derive(Clone, Debug)]
pub struct Verbatim {
    /// The code.
    pub code: Box<syn::Expr>,
    /// Names in the code and the variables that they mean.
    pub names: Vec<(Ident, VarId)>,
    /// Variables that it may change.
    pub changes: Vec<VarId>,
    /// What to say if a derivative would have to pass through it.
    pub refusal: Refusal,
    /// Whether it may read active values: its result, if any, has no derivative.
    pub discrete: bool,
}

/// What to say of code that no derivative passes through.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The tokens to blame.
    pub at: TokenStream,
    /// What they are.
    pub what: String,
    /// The way out.
    pub help: String,
}

/// An operator of a type of the user.
#[derive(Clone, Copy, Debug)]
pub enum Operator {
    /// `a + b`
    Binary(syn::BinOp),
    /// `-a`
    Unary(syn::UnOp),
}

/// `for index in range`, counted.
#[derive(Clone, Debug)]
pub struct ForLoop {
    /// The loop.
    pub id: LoopId,
    /// The index.
    pub index: VarId,
    /// Its values.
    pub range: Range,
    /// The body.
    pub body: Block,
}

/// `lo..hi`, perhaps inclusive, reversed, stepped.
#[derive(Clone, Debug)]
pub struct Range {
    /// First value.
    pub lo: Atom,
    /// End.
    pub hi: Atom,
    /// `..=`
    pub inclusive: bool,
    /// `rev()` and `step_by(n)`, in the order written.
    pub adaptors: Vec<Adaptor>,
}

/// An adaptor of a range.
#[derive(Clone, Debug)]
pub enum Adaptor {
    /// `.rev()`
    Rev,
    /// `.step_by(n)`
    StepBy(Atom),
    /// `.take(n)`: as many trips as were made before the loop was left.
    Take(Atom),
}

impl Range {
    /// Whether it is `lo..hi`, so that what was run of it is `lo..end`.
    pub fn is_plain(&self) -> bool {
        !self.inclusive && self.adaptors.is_empty()
    }
}

/// Where control goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// `break`
    Break(LoopId),
    /// `continue`
    Continue(LoopId),
    /// `return`; the result has been stored.
    Return,
}

/// What a `match` looks at.
#[derive(Clone, Debug)]
pub enum Scrutinee {
    /// A value.
    Value(Atom),
    /// A place, as it is or through a reference, mutable or not.
    Place { place: Place, by: Option<bool> },
}

/// One arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The pattern, bindings renamed.
    pub pat: syn::Pat,
    /// How many statements at the beginning of the body define what the pattern binds.
    pub binds: usize,
    /// The guard: temporaries and a condition.
    pub guard: Option<Block>,
    /// The body.
    pub body: Block,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Arg {
    /// By value.
    Value(Atom),
    /// `&place`, `&mut place`
    Ref { place: Place, mutable: bool },
    /// A function.
    Function(Handed),
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// `f(…)`: its companion is the type `f`.
    Function(syn::Path),
    /// `Type::f(…)`: its companion is `Type::f_vjp` and what belongs to it.
    Associated(syn::ExprPath),
    /// `x.f(…)`: likewise; the first argument is the receiver.
    Method(Ident),
    /// `f(…)`, where `f` is a parameter.
    Param(CalledParam),
    /// `&a + b`, `-&a`; `a += b` if it `assigns`. Its rule is in the runtime.
    Operator { op: Operator, name: Ident, assigns: bool },
}

impl Callee {
    /// The last name.
    pub fn name(&self) -> &Ident {
        match self {
            Callee::Function(path) | Callee::Associated(syn::ExprPath { path, .. }) => {
                &path.segments[path.segments.len() - 1].ident
            }
            Callee::Method(name) => name,
            Callee::Param(of) => &of.functional.name,
            Callee::Operator { name, .. } => name,
        }
    }
}

/// A call of a function that may have a companion.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub callee: Callee,
    /// The function whose companion serves, if that is another.
    pub rule: Option<Callee>,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// The result; `None` for a call whose value is not used and taken to be `()`.
    pub dest: Option<VarId>,
    /// The variable that holds the pullback.
    pub pullback: VarId,
    /// Whether it calls the function being differentiated.
    pub recursive: bool,
    /// Whether no pullback is kept: the reverse sweep runs the call again, as the pullbacks of closures
    /// cannot leave the place where what they borrow is borrowed, or needs no more than the operands.
    pub again: bool,
    /// The tokens to blame.
    pub span: Span,
}

impl Call {
    /// The arguments as they are written, without what closures among them capture.
    pub fn written(&self) -> &[Arg] {
        let captured = |arg: &Arg| match arg {
            Arg::Function(Handed::Closure(lambda)) => Some(lambda.first),
            _ => None,
        };
        let end = self.args.iter().find_map(captured).unwrap_or(self.args.len());
        &self.args[..end]
    }

    /// The callee by whose name the companion is found.
    pub fn companion(&self) -> &Callee {
        self.rule.as_ref().unwrap_or(&self.callee)
    }
}

/// How elements change places.
#[derive(Clone, Debug)]
pub enum Permutation {
    /// `rotate_left(by)`, or `rotate_right`.
    Rotate { left: bool, by: Atom },
    /// `reverse()`
    Reverse,
    /// As a [`Value::Order`] says.
    Order(Atom),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `let x = value;`
    Let { var: VarId, value: Value },
    /// `let x;`
    Declare { var: VarId },
    /// `place = value;`
    Store { place: Place, value: Atom },
    /// `let x = &place;`
    Borrow { var: VarId, mutable: bool, place: Place },
    /// `let (a, b) = place.split_at(mid);`
    Split { left: VarId, right: VarId, mutable: bool, place: Place, mid: Atom },
    /// `std::mem::swap(&mut a, &mut b)`
    Swap { a: Place, b: Place },
    /// `to.copy_from_slice(from)`
    CopyFrom { to: Place, from: Place, method: Ident },
    /// `to.fill(value)`
    Fill { to: Place, value: Atom },
    /// `place.push(value)`
    Push { place: Place, value: Atom },
    /// `let x = place.pop().unwrap();`
    Pop { var: VarId, place: Place },
    /// `place.reverse()` and the like: the elements change places.
    Permute { place: Place, how: Permutation },
    /// `if cond { … } else { … }`
    If { dest: Option<VarId>, cond: Atom, then: Block, otherwise: Block },
    /// `match scrutinee { … }`; `decision` is the index of the arm that ran.
    Match { dest: Option<VarId>, scrutinee: Scrutinee, decision: VarId, arms: Vec<Arm> },
    /// `for`
    For(ForLoop),
    /// `while cond { … }`; `trips` counts its iterations.
    While { id: LoopId, cond: Block, body: Block, trips: VarId },
    /// `loop { … }`; `trips` counts its iterations, the one that breaks included.
    Loop { id: LoopId, body: Block, trips: VarId },
    /// `break`, `continue`, `return`
    Exit(Exit),
    /// A call.
    Call(Call),
    /// Code that no derivative flows through.
    Verbatim { code: Verbatim, diverges: bool },
    /// What only the sweeps of a derivative do.
    Tape(TapeOp),
}
