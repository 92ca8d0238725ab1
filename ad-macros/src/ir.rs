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

use proc_macro2::{Ident, Span, TokenStream};

/// A variable of the function, or a temporary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub usize);

/// A `for`, `while` or `loop` of the function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoopId(pub usize);

/// What is known of a type from signatures, literals and operations.
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    /// `f32`, `f64`, or a float literal whose type rustc infers.
    Float,
    /// A type parameter with a numeric bound.
    Generic,
    /// Integers, `bool`, `char`, strings: no derivative flows through them.
    Discrete,
    /// `[T; N]`; also a `Vec` when `heap`.
    Array { elem: Box<Ty>, heap: bool },
    /// `[T]`.
    Slice(Box<Ty>),
    /// `(A, B)`.
    Tuple(Vec<Ty>),
    /// `&T` and `&mut T`.
    Ref { mutable: bool, to: Box<Ty> },
    /// `()`.
    Unit,
    /// A type that the program names: a struct, an enum.
    Named,
    /// `Option<T>`, or `Result<T, E>` if `result`.
    Wrapped { inner: Box<Ty>, result: bool },
    /// Left to rustc: the result of a call, a field, a constant.
    Unknown,
}

impl Ty {
    /// A single real number.
    pub fn is_real(&self) -> bool {
        matches!(self, Ty::Float | Ty::Generic)
    }

    /// The type behind any number of references.
    pub fn peeled(&self) -> &Ty {
        match self {
            Ty::Ref { to, .. } => to.peeled(),
            other => other,
        }
    }

    /// Whether nothing is known of the type's parts.
    pub fn is_opaque(&self) -> bool {
        matches!(self, Ty::Named | Ty::Wrapped { .. } | Ty::Unknown)
    }

    /// Whether a value of this type may hold a real number.
    pub fn may_hold_reals(&self) -> bool {
        match self {
            Ty::Float | Ty::Generic | Ty::Named | Ty::Unknown => true,
            Ty::Discrete | Ty::Unit => false,
            Ty::Array { elem: to, .. }
            | Ty::Slice(to)
            | Ty::Ref { to, .. }
            | Ty::Wrapped { inner: to, .. } => to.may_hold_reals(),
            Ty::Tuple(parts) => parts.iter().any(Ty::may_hold_reals),
        }
    }

    /// Whether a value of this type is copied, not moved, when it is read.
    pub fn is_copy(&self) -> bool {
        match self {
            Ty::Float | Ty::Generic | Ty::Discrete | Ty::Unit => true,
            Ty::Array { elem, heap } => !heap && elem.is_copy(),
            Ty::Tuple(parts) => parts.iter().all(Ty::is_copy),
            Ty::Wrapped { inner, result } => !result && inner.is_copy(),
            Ty::Slice(_) | Ty::Ref { .. } | Ty::Named | Ty::Unknown => false,
        }
    }

    /// Whether values of this type may differ in length.
    pub fn is_resizable(&self) -> bool {
        match self {
            Ty::Array { elem, heap } => *heap || elem.is_resizable(),
            Ty::Slice(to) | Ty::Ref { to, .. } => to.is_resizable(),
            Ty::Tuple(parts) => parts.iter().any(Ty::is_resizable),
            // It may hold a `Vec`, or have another variant.
            Ty::Named | Ty::Wrapped { .. } => true,
            Ty::Float | Ty::Generic | Ty::Discrete | Ty::Unit | Ty::Unknown => false,
        }
    }

    /// The type of an element, as far as it is known.
    pub fn element(&self) -> Ty {
        match self.peeled() {
            Ty::Array { elem, .. } | Ty::Slice(elem) => (**elem).clone(),
            _ => Ty::Unknown,
        }
    }

    /// The type of a tuple field, as far as it is known.
    pub fn field(&self, index: usize) -> Ty {
        match self.peeled() {
            Ty::Tuple(parts) => parts.get(index).cloned().unwrap_or(Ty::Unknown),
            _ => Ty::Unknown,
        }
    }
}

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

/// Values of the reverse sweep.
#[derive(Clone, Debug)]
pub enum Reverse {
    /// The partial of an elementary operation with respect to argument `arg`.
    Partial { rule: &'static crate::rules::Rule, arg: usize, args: Vec<Atom>, result: Atom },
    /// `adjoint * partial`, 0 if either is.
    Pull(Atom, Atom),
    /// The adjoint of a value that is overwritten: read, and then 0.
    Take(Adjoint),
    /// The adjoint as it is.
    Adjoint(Adjoint),
    /// A recorded value: popped in a loop, taken from its slot elsewhere.
    Recorded(Tape),
    /// The negated adjoint.
    Neg(Atom),
    /// The sum of the elements of an aggregate's adjoint.
    Sum(Adjoint),
    /// The adjoint of a vector's last element, which is removed.
    Popped(Adjoint),
    /// The adjoints of the operands of an operator, as a tuple if there are two.
    Operator { op: Operator, args: Vec<Atom>, seed: Adjoint },
}

/// An operator of a type of the user.
#[derive(Clone, Copy, Debug)]
pub enum Operator {
    /// `a + b`
    Binary(syn::BinOp),
    /// `-a`
    Unary(syn::UnOp),
}

/// The adjoint of a place.
#[derive(Clone, Debug)]
pub struct Adjoint(pub Place);

/// Where the forward sweep keeps what the reverse sweep needs.
#[derive(Clone, Debug)]
pub enum Tape {
    /// A stack, for save sites in loops.
    Stack(Ident),
    /// An `Option`, for save sites in branches.
    Slot(Ident),
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
}

impl Callee {
    /// The last name.
    pub fn name(&self) -> &Ident {
        match self {
            Callee::Function(path) | Callee::Associated(syn::ExprPath { path, .. }) => {
                &path.segments[path.segments.len() - 1].ident
            }
            Callee::Method(name) => name,
        }
    }
}

/// A call of a function that may have a companion.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub callee: Callee,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// The result; `None` for a call whose value is not used and taken to be `()`.
    pub dest: Option<VarId>,
    /// The variable that holds the pullback.
    pub pullback: VarId,
    /// Whether it calls the function being differentiated.
    pub recursive: bool,
    /// The tokens to blame.
    pub span: Span,
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

/// Statements that only the sweeps contain.
#[derive(Clone, Debug)]
pub enum TapeOp {
    /// A value for the reverse sweep.
    Record { tape: Tape, value: Saved, when: When },
    /// `place = recorded value`
    Restore { tape: Tape, place: Place, when: When },
    /// `x_adj` begins, as 0 of the shape of `x`.
    Begin { var: VarId, shape: Shape },
    /// `x_adj` begins, as `value`.
    BeginWith { var: VarId, value: Atom },
    /// `x_adj` begins, as the adjoint of an aggregate, which is 0 from then on if `clear`.
    BeginFrom { var: VarId, other: Adjoint, clear: bool },
    /// `adjoint += value`, or `-=`.
    Accumulate { adjoint: Adjoint, value: Atom, negative: bool },
    /// `adjoint += other`, for aggregates; through a copy where both lie in one buffer.
    AccumulateAll { adjoint: Adjoint, other: Adjoint, copied: bool },
    /// `adjoint += Σ other`, for a value that was copied to every element.
    AccumulateSum { adjoint: Adjoint, other: Adjoint },
    /// The adjoint becomes 0.
    Clear { adjoint: Adjoint },
    /// The adjoint becomes 0 of the shape that its primal has again.
    Reshape { place: Place },
    /// `push` on the primal, on the way back from `pop`.
    PushBack { place: Place, value: Atom, when: When },
    /// `pop` on the primal, on the way back from `push`.
    PopBack { place: Place, when: When },
    /// `push` on the adjoint; of 0 if nothing came back to what was popped.
    PushAdjoint { adjoint: Adjoint, value: Option<Atom> },
    /// The inverse of a permutation, on the primal.
    PermuteBack { place: Place, how: Permutation, when: When },
    /// The inverse of a permutation, on the adjoint.
    PermuteAdjoint { adjoint: Adjoint, how: Permutation },
    /// `std::mem::swap` on the primal, on the way back.
    SwapBack { a: Place, b: Place, when: When },
    /// `std::mem::swap` on the adjoints.
    SwapAdjoints { a: Place, b: Place },
    /// A call whose pullback is kept.
    Call { call: Call, restoring: crate::record::Restoring },
    /// The pullback of a call runs.
    Pullback(Box<PullbackCall>),
    /// `let row = &w[a..b]` again, for primal and adjoint.
    Reborrow { var: VarId, mutable: bool, place: Place },
    /// `let (a, b) = w.split_at(mid)` again, for primal and adjoint.
    Resplit { left: VarId, right: VarId, mutable: bool, place: Place, mid: Atom },
    /// `let Shape::Circle(r) = shape else { … }` again, for primal and adjoint.
    Unpack(Box<Unpack>),
    /// `for _ in 0..trips`
    Repeat { trips: VarId, body: Block },
    /// A counted loop, backwards.
    ForRev { index: VarId, range: Range, body: Block },
    /// `trips += 1;`
    Count { trips: VarId },
    /// `end = index + 1;`
    CountTo { end: VarId, index: VarId },
}

/// The bindings of a `match` arm, made again.
#[derive(Clone, Debug)]
pub struct Unpack {
    /// The arm's pattern.
    pub pat: syn::Pat,
    /// What it matched.
    pub place: Place,
    /// The references that it binds.
    pub bound: Vec<VarId>,
    /// Whether the place is borrowed mutably.
    pub mutable: bool,
    /// Whether there are other arms.
    pub refutable: bool,
    /// Whether the primal's parts are used.
    pub primal: bool,
    /// Whether the adjoint's parts are used.
    pub adjoint: bool,
}

/// What begins an adjoint.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `0.0`
    Scalar,
    /// As many zeros as the aggregate has elements; a tuple, or an array.
    Literal { len: usize, tuple: bool, heap: bool },
    /// A struct whose parts are all zeros.
    Struct(Maker),
    /// `[0.0; len]`
    Repeat { len: Atom, heap: bool },
    /// Zeros of the shape of a parameter's part.
    Like(Place),
    /// Zeros of the shape of the variable itself.
    Itself,
}

/// What is recorded.
#[derive(Clone, Debug)]
pub enum Saved {
    /// A variable; cloned unless it is `Copy`.
    Var(VarId),
    /// A variable that goes out of scope: moved.
    Moved(VarId),
    /// The contents of a place that is about to be overwritten.
    Place(Place),
    /// A literal.
    Literal(TokenStream),
}

/// Whether something is recorded for every caller or only for one that asked for restoring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Always.
    Always,
    /// Under `Restored`.
    Restored,
}

/// The reverse of a [`Call`].
#[derive(Clone, Debug)]
pub struct PullbackCall {
    /// The call.
    pub call: Call,
    /// Its reference arguments.
    pub args: Vec<PullbackArg>,
    /// The adjoint of the result, if it has one.
    pub seed: Option<Atom>,
    /// The variables that receive the adjoints of by-value arguments, where they are wanted.
    pub results: Vec<Option<VarId>>,
}

/// A reference argument of a pullback.
#[derive(Clone, Debug)]
pub struct PullbackArg {
    /// The place.
    pub place: Place,
    /// Whether it is passed as `&mut`.
    pub mutable: bool,
    /// How its adjoint is passed.
    pub adjoint: Passed,
}

/// How an adjoint is passed to a pullback.
#[derive(Clone, Debug)]
pub enum Passed {
    /// Not at all: nothing flows.
    Constant,
    /// As it lies in its buffer.
    InPlace,
    /// Through a temporary of this name, since another argument lies in the same buffer.
    Temporary(Ident),
}
