//! What is known of types.

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
    /// What arithmetic with such a type gives: a number, real or of a type of its own, which rustc
    /// finds out.
    Number,
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

    /// Whether arithmetic goes by the rules of a type that is not known here.
    pub fn is_own(&self) -> bool {
        matches!(self, Ty::Named | Ty::Number)
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
        matches!(self, Ty::Named | Ty::Number | Ty::Wrapped { .. } | Ty::Unknown)
    }

    /// Whether a value of this type may hold a real number.
    pub fn may_hold_reals(&self) -> bool {
        match self {
            Ty::Float | Ty::Generic | Ty::Named | Ty::Number | Ty::Unknown => true,
            Ty::Discrete | Ty::Unit => false,
            Ty::Array { elem: to, .. }
            | Ty::Slice(to)
            | Ty::Ref { to, .. }
            | Ty::Wrapped { inner: to, .. } => to.may_hold_reals(),
            Ty::Tuple(parts) => parts.iter().any(Ty::may_hold_reals),
        }
    }

    /// Whether a value of this type holds a real number for certain.
    pub fn holds_known_reals(&self) -> bool {
        match self {
            Ty::Float | Ty::Generic => true,
            Ty::Discrete | Ty::Unit | Ty::Named | Ty::Number | Ty::Unknown => false,
            Ty::Array { elem: to, .. }
            | Ty::Slice(to)
            | Ty::Ref { to, .. }
            | Ty::Wrapped { inner: to, .. } => to.holds_known_reals(),
            Ty::Tuple(parts) => parts.iter().any(Ty::holds_known_reals),
        }
    }

    /// Whether a value of this type is copied, not moved, when it is read.
    pub fn is_copy(&self) -> bool {
        match self {
            Ty::Float | Ty::Generic | Ty::Discrete | Ty::Unit => true,
            Ty::Array { elem, heap } => !heap && elem.is_copy(),
            Ty::Tuple(parts) => parts.iter().all(Ty::is_copy),
            Ty::Wrapped { inner, result } => !result && inner.is_copy(),
            Ty::Slice(_) | Ty::Ref { .. } | Ty::Named | Ty::Number | Ty::Unknown => false,
        }
    }

    /// Whether values of this type may differ in length.
    pub fn is_resizable(&self) -> bool {
        match self {
            Ty::Array { elem, heap } => *heap || elem.is_resizable(),
            Ty::Slice(to) | Ty::Ref { to, .. } => to.is_resizable(),
            Ty::Tuple(parts) => parts.iter().any(Ty::is_resizable),
            // It may hold a `Vec`, or have another variant.
            Ty::Named | Ty::Number | Ty::Wrapped { .. } => true,
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
