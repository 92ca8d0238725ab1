//! Where everything stands: statements numbered in program order, blocks and what encloses them.
//!
//! The sweeps ask three questions of it: where is a variable defined, may a write happen between
//! two statements, and what does a block's code run under (always, in a branch, in a loop).

use crate::ir::*;
use crate::walk;
use std::collections::HashMap;

/// The number of a statement in program order.
pub type Pos = usize;

/// What the code of a block runs under.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Under {
    /// The function alone: it runs once.
    Function,
    /// Branches or early returns: it runs at most once.
    Branch,
    /// A loop.
    Loop,
}

#[derive(Debug)]
struct BlockInfo {
    parent: Option<Pos>,
    is_loop: bool,
}

#[derive(Debug)]
struct StmtInfo {
    block: usize,
    /// The last statement inside of it.
    end: Pos,
    under: Under,
}

/// The layout of a function.
#[derive(Debug)]
pub struct Layout {
    stmts: Vec<StmtInfo>,
    blocks: Vec<BlockInfo>,
    numbers: HashMap<*const Stmt, Pos>,
    definitions: HashMap<VarId, Pos>,
    /// Statements that write, and through which variable.
    writes: Vec<(Pos, VarId)>,
}

impl Layout {
    /// Numbers the statements of `function`, which must not move afterwards.
    pub fn of(function: &Function) -> Self {
        let mut layout = Layout {
            stmts: Vec::new(),
            blocks: Vec::new(),
            numbers: HashMap::new(),
            definitions: HashMap::new(),
            writes: Vec::new(),
        };
        layout.block(&function.body, None, false, Under::Function);
        layout
    }

    fn block(&mut self, block: &Block, parent: Option<Pos>, is_loop: bool, under: Under) {
        let id = self.blocks.len();
        self.blocks.push(BlockInfo { parent, is_loop });
        let mut under = under;
        for stmt in &block.stmts {
            // From the first statement that may return on, what runs is up to the program.
            if under == Under::Function && walk::stmt_exits(stmt).contains(&Exit::Return) {
                under = Under::Branch;
            }
            // What is declared without a value may not get one before the function returns.
            let unset = matches!(stmt, Stmt::Declare { .. })
                && under == Under::Function
                && walk::exits(block).contains(&Exit::Return);
            let pos = self.stmts.len();
            let own = if unset { Under::Branch } else { under };
            self.stmts.push(StmtInfo { block: id, end: pos, under: own });
            self.numbers.insert(stmt, pos);
            for var in definitions(stmt) {
                self.definitions.insert(var, pos);
            }
            self.writes.extend(walk::writes(stmt).into_iter().map(|var| (pos, var)));
            let is_loop = matches!(stmt, Stmt::For(_) | Stmt::While { .. } | Stmt::Loop { .. });
            let inner = match (is_loop, under) {
                (true, _) | (_, Under::Loop) => Under::Loop,
                _ => Under::Branch,
            };
            for block in walk::blocks(stmt) {
                self.block(block, Some(pos), is_loop, inner);
            }
            self.stmts[pos].end = self.stmts.len() - 1;
        }
    }

    /// The number of a statement.
    pub fn pos(&self, stmt: &Stmt) -> Pos {
        self.numbers[&std::ptr::from_ref(stmt)]
    }

    /// Where a variable is defined; `None` for parameters.
    pub fn definition(&self, var: VarId) -> Option<Pos> {
        self.definitions.get(&var).copied()
    }

    /// What the definition of a variable runs under.
    pub fn under(&self, var: VarId) -> Under {
        self.definition(var).map_or(Under::Function, |pos| self.stmts[pos].under)
    }

    /// What the statement at `pos` runs under.
    pub fn under_pos(&self, pos: Pos) -> Under {
        self.stmts[pos].under
    }

    /// The last statement inside the statement at `pos`.
    pub fn end(&self, pos: Pos) -> Pos {
        self.stmts[pos].end
    }

    /// The statement around `pos` (or at it) that stands in the block where `var` is defined.
    pub fn beside_definition(&self, var: VarId, pos: Pos) -> Pos {
        let Some(definition) = self.definition(var) else {
            return pos;
        };
        let block = self.stmts[definition].block;
        let mut at = pos;
        while self.stmts[at].block != block {
            match self.blocks[self.stmts[at].block].parent {
                Some(parent) => at = parent,
                None => return pos,
            }
        }
        at
    }

    /// Whether the statement at `pos` stands in the same block as the one at `other`, or further
    /// inside.
    pub fn is_beside(&self, pos: Pos, other: Pos) -> bool {
        let block = self.stmts[other].block;
        let mut at = Some(pos);
        while let Some(pos) = at {
            if self.stmts[pos].block == block {
                return true;
            }
            at = self.blocks[self.stmts[pos].block].parent;
        }
        false
    }

    /// The writes through variables that `same` accepts.
    pub fn writes_to(&self, same: impl Fn(VarId) -> bool) -> Vec<Pos> {
        self.writes.iter().filter(|(_, var)| same(*var)).map(|(pos, _)| *pos).collect()
    }

    /// Whether a loop contains both statements, but not the definition of `var`: then either may
    /// run after the other on the same contents of `var`.
    pub fn share_loop(&self, a: Pos, b: Pos, var: VarId) -> bool {
        self.share_loop_without(a, b, self.definition(var))
    }

    /// Whether a loop contains both statements, but not the one at `outside`.
    pub fn share_loop_without(&self, a: Pos, b: Pos, outside: Option<Pos>) -> bool {
        let mut at = a;
        while let Some(parent) = self.blocks[self.stmts[at].block].parent {
            let contains = |pos: Pos| parent <= pos && pos <= self.stmts[parent].end;
            if self.blocks[self.stmts[at].block].is_loop
                && contains(b)
                && !outside.is_some_and(|pos| pos != parent && contains(pos))
            {
                return true;
            }
            at = parent;
        }
        false
    }
}

/// The variables that a statement itself defines.
pub fn definitions(stmt: &Stmt) -> Vec<VarId> {
    match stmt {
        Stmt::Let { var, .. }
        | Stmt::Declare { var }
        | Stmt::Borrow { var, .. }
        | Stmt::Pop { var, .. } => vec![*var],
        Stmt::Split { left, right, .. } => vec![*left, *right],
        Stmt::If { dest, .. } => dest.iter().copied().collect(),
        Stmt::Match { dest, decision, .. } => dest.iter().copied().chain([*decision]).collect(),
        Stmt::For(repeat) => vec![repeat.index],
        Stmt::While { trips, .. } | Stmt::Loop { trips, .. } => vec![*trips],
        Stmt::Call(call) => call.dest.iter().copied().chain([call.pullback]).collect(),
        Stmt::Store { .. }
        | Stmt::Swap { .. }
        | Stmt::CopyFrom { .. }
        | Stmt::Fill { .. }
        | Stmt::Push { .. }
        | Stmt::Permute { .. }
        | Stmt::Exit(_)
        | Stmt::Verbatim { .. }
        | Stmt::Tape(_) => Vec::new(),
    }
}
