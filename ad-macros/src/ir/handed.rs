//! Functions that are handed to the functions that are called.

use super::{Atom, Function, VarId};
use crate::errors::Errors;
use crate::signature::{Functional, Signature};
use proc_macro2::Ident;
use std::rc::Rc;

/// A function as an argument.
#[derive(Clone, Debug)]
pub enum Handed {
    /// A function of the program: the callee's companion gets the `vjp` of its companion.
    Path {
        /// The function.
        path: syn::Path,
        /// Whether it is written `&f`.
        by_reference: bool,
    },
    /// A parameter that is a function.
    Param {
        /// The parameter.
        of: CalledParam,
        /// Whether it is written `&f`.
        by_reference: bool,
    },
    /// A closure.
    Closure(Rc<Lambda>),
    /// A closure that no derivative can flow through.
    Refused {
        /// The closure as the user wrote it.
        plain: Atom,
        /// Why not.
        errors: Errors,
    },
}

impl Handed {
    /// The argument of the call without derivative, if that is a value of its own.
    pub fn plain(&self) -> Option<&Atom> {
        match self {
            Handed::Closure(lambda) => Some(&lambda.plain),
            Handed::Refused { plain, .. } => Some(plain),
            Handed::Path { .. } | Handed::Param { .. } => None,
        }
    }
}

/// A parameter that is a function, where it is called or handed on.
#[derive(Clone, Debug)]
pub struct CalledParam {
    /// The variable.
    pub var: VarId,
    /// The name of its `vjp`.
    pub vjp: Ident,
    /// Its signature.
    pub functional: Rc<Functional>,
}

/// A closure as a function of its own.
///
/// The variables that it captures are those of the function around it, and parameters of its own:
/// they come first. The call that it is an argument of has them as further arguments, by reference.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The closure as the user wrote it, for the call without derivative.
    pub plain: Atom,
    /// How many of the parameters are captured variables.
    pub captures: usize,
    /// Where the captured variables stand among the arguments of the call.
    pub first: usize,
    /// The types of the other parameters, where they are written.
    pub inputs: Vec<Option<syn::Type>>,
    /// Whether it writes to an argument.
    pub writes: bool,
    /// Whether it has a value.
    pub has_result: bool,
    /// Parameters and body.
    pub function: Function,
    /// Its parameters. Whether captured variables are active is known later.
    pub signature: Rc<Signature>,
}
