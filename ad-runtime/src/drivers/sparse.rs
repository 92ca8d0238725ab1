//! Sparse Jacobians and Hessians: columns that share no row are computed in one run.
//!
//! A [`Pattern`] says which entries may differ from 0. Columns are coloured so that those of one colour
//! can be told apart in their sum (Curtis, Powell and Reid 1974); for Hessians, symmetry lets a star
//! colouring get by with fewer colours (Gebremedhin, Manne and Pothen 2005). The number of runs is
//! that of colours, which does not grow with the size of a banded matrix.
//!
//! ```
//! use ad_runtime::{differentiate, drivers::sparse::{Pattern, SparseHessian}};
//!
//! #[differentiate(reverse, second_order)]
//! fn chain(x: &[f64]) -> f64 {
//!     x.windows(2).map(|w| w[0] * w[0] * w[1]).sum()
//! }
//!
//! let x = [1.0, 2.0, 3.0];
//! let pattern = Pattern::new(3, 3, [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)]);
//! let mut hessian = SparseHessian::new(pattern);
//! let mut gradient = [0.0; 3];
//! hessian.evaluate::<chain>(&x, &(), &mut gradient);
//! assert_eq!(gradient, [4.0, 13.0, 4.0]);
//! assert_eq!(hessian.get(0, 1), 2.0);
//! assert_eq!(hessian.get(1, 1), 6.0);
//! ```

use super::{Forward, Second, marked};
use crate::Real;
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

/// Which entries of a matrix may differ from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    columns: usize,
    /// The columns of each row, in order.
    rows: Vec<Vec<usize>>,
}

impl Pattern {
    /// The pattern with these entries, given as (row, column), in any order.
    ///
    /// # Panics
    ///
    /// If an entry lies outside.
    pub fn new(
        rows: usize,
        columns: usize,
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Self {
        let mut sets = vec![BTreeSet::new(); rows];
        for (row, column) in entries {
            assert!(
                row < rows && column < columns,
                "the entry ({row}, {column}) lies outside of a matrix of {rows} rows and {columns} columns"
            );
            sets[row].insert(column);
        }
        let rows = sets.into_iter().map(|set| set.into_iter().collect()).collect();
        Pattern { columns, rows }
    }

    /// The pattern of a Jacobian at `x`, by one run in forward mode for each column: entries that are 0
    /// there, and at nearby points of no pattern, count as 0 everywhere.
    ///
    /// Tangents that are NaN or infinite count as entries. What depends on a branch that was not taken is
    /// not seen; give the pattern by [`Pattern::new`] then.
    pub fn detect<F: Forward<Real = f64>>(
        x: &[f64],
        context: &F::Context<'_>,
        results: usize,
    ) -> Self {
        let mut entries = Vec::new();
        let (mut y, mut y_tan) = (vec![0.0; results], vec![0.0; results]);
        for shift in [0.0, 1e-3, -2e-3] {
            let at: Vec<f64> = x
                .iter()
                .enumerate()
                .map(|(k, x)| x + shift * (1.0 + x.abs()) * (1.0 + (k % 7) as f64 / 8.0))
                .collect();
            for column in 0..x.len() {
                let x_tan = marked::<f64>(x.len(), [column]);
                F::jvp(&at, &x_tan, context, &mut y, &mut y_tan);
                let found = y_tan.iter().enumerate().filter(|(_, tangent)| **tangent != 0.0);
                entries.extend(found.map(|(row, _)| (row, column)));
            }
        }
        Pattern::new(results, x.len(), entries)
    }

    /// The entries, row by row.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(row, columns)| columns.iter().map(move |column| (row, *column)))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position of an entry among [`Pattern::entries`].
    fn position(&self, starts: &[usize], row: usize, column: usize) -> Option<usize> {
        Some(starts[row] + self.rows[row].binary_search(&column).ok()?)
    }

    /// Where each row starts among the entries.
    fn starts(&self) -> Vec<usize> {
        let lengths = self.rows.iter().scan(0, |start, row| {
            let own = *start;
            *start += row.len();
            Some(own)
        });
        lengths.collect()
    }

    /// The rows of each column.
    fn transposed(&self) -> Vec<Vec<usize>> {
        let mut columns = vec![Vec::new(); self.columns];
        self.entries().for_each(|(row, column)| columns[column].push(row));
        columns
    }

    /// Colours of columns, such that two that meet in a row differ.
    fn column_colours(&self) -> Vec<usize> {
        let of_columns = self.transposed();
        let mut colours = vec![usize::MAX; self.columns];
        let mut taken = Vec::new();
        for column in 0..self.columns {
            taken.clear();
            for row in &of_columns[column] {
                taken.extend(self.rows[*row].iter().map(|other| colours[*other]));
            }
            colours[column] = first_free(&mut taken);
        }
        colours
    }

    /// Colours of the variables of a symmetric pattern, such that neighbours differ and no path of four
    /// variables has two colours: a star colouring.
    fn star_colours(&self) -> Vec<usize> {
        let mut colours = vec![usize::MAX; self.columns];
        let mut taken = Vec::new();
        for own in 0..self.columns {
            taken.clear();
            for near in self.rows[own].iter().copied().filter(|near| *near != own) {
                if colours[near] != usize::MAX {
                    taken.push(colours[near]);
                }
                for far in self.rows[near].iter().copied().filter(|far| *far != own && *far != near)
                {
                    if colours[far] == usize::MAX {
                        continue;
                    }
                    // A path own, near, far, end would have two colours if own got that of far.
                    let ends = self.rows[far].iter().filter(|end| **end != near && **end != far);
                    let closes = ends.clone().any(|end| colours[*end] == colours[near]);
                    let unknown = colours[near] == usize::MAX;
                    if closes || unknown {
                        taken.push(colours[far]);
                    }
                }
            }
            // A path far, own, near, end: two neighbours of one colour, of which one has another
            // neighbour of the colour that own would get.
            let neighbours: Vec<usize> =
                self.rows[own].iter().copied().filter(|near| *near != own).collect();
            for near in &neighbours {
                let twin = neighbours
                    .iter()
                    .any(|other| other != near && colours[*other] == colours[*near]);
                if colours[*near] != usize::MAX && twin {
                    taken.extend(self.rows[*near].iter().map(|end| colours[*end]));
                }
            }
            colours[own] = first_free(&mut taken);
        }
        colours
    }
}

/// The smallest colour that is not taken.
fn first_free(taken: &mut Vec<usize>) -> usize {
    taken.sort_unstable();
    taken.dedup();
    (0..)
        .zip(taken.iter())
        .find(|(colour, other)| colour != *other)
        .map_or(taken.iter().filter(|colour| **colour != usize::MAX).count(), |(colour, _)| colour)
}

/// The columns of each colour.
fn groups(colours: &[usize]) -> Vec<Vec<usize>> {
    let count = colours.iter().max().map_or(0, |last| last + 1);
    let mut groups = vec![Vec::new(); count];
    colours.iter().enumerate().for_each(|(column, colour)| groups[*colour].push(column));
    groups
}

/// A sparse Jacobian, evaluated again and again on one pattern.
#[derive(Clone, Debug)]
pub struct SparseJacobian<T = f64> {
    pattern: Pattern,
    starts: Vec<usize>,
    colours: Vec<usize>,
    directions: Vec<Vec<T>>,
    tangents: Vec<T>,
    values: Vec<T>,
}

impl<T: Real> SparseJacobian<T> {
    /// Colours the columns of a pattern.
    pub fn new(pattern: Pattern) -> Self {
        let colours = pattern.column_colours();
        let directions =
            groups(&colours).into_iter().map(|group| marked(pattern.columns, group)).collect();
        SparseJacobian {
            starts: pattern.starts(),
            tangents: vec![T::zero(); pattern.rows.len()],
            values: vec![T::zero(); pattern.len()],
            directions,
            colours,
            pattern,
        }
    }

    /// How many runs in forward mode an evaluation takes.
    pub fn runs(&self) -> usize {
        self.directions.len()
    }

    /// Evaluates the Jacobian at `x`, and writes the value to `y`. Allocates nothing.
    ///
    /// # Panics
    ///
    /// If `x` or `y` does not fit the pattern.
    pub fn evaluate<F: Forward<Real = T>>(
        &mut self,
        x: &[T],
        context: &F::Context<'_>,
        y: &mut [T],
    ) {
        assert_eq!(
            (y.len(), x.len()),
            (self.pattern.rows.len(), self.pattern.columns),
            "rows and columns"
        );
        for (colour, direction) in self.directions.iter().enumerate() {
            F::jvp(x, direction, context, y, &mut self.tangents);
            for (row, columns) in self.pattern.rows.iter().enumerate() {
                for (k, column) in columns.iter().enumerate() {
                    if self.colours[*column] == colour {
                        self.values[self.starts[row] + k] = self.tangents[row];
                    }
                }
            }
        }
        if self.directions.is_empty() {
            F::value(x, context, y);
        }
    }

    /// The entry of a row and column; 0 outside of the pattern.
    pub fn get(&self, row: usize, column: usize) -> T {
        let position = self.pattern.position(&self.starts, row, column);
        position.map_or_else(T::zero, |k| self.values[k])
    }

    /// The entries as (row, column, value), row by row.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, T)> + '_ {
        self.pattern.entries().zip(&self.values).map(|((row, column), value)| (row, column, *value))
    }

    /// The entries column by column: where each column starts, the rows, and the values.
    pub fn csc(&self) -> (Vec<usize>, Vec<usize>, Vec<T>) {
        csc(self.pattern.columns, self.triplets())
    }
}

/// A sparse Hessian, evaluated again and again on one pattern.
#[derive(Clone, Debug)]
pub struct SparseHessian<T = f64> {
    pattern: Pattern,
    starts: Vec<usize>,
    directions: Vec<Vec<T>>,
    /// For each entry, the direction and the row in whose product it stands alone.
    sources: Vec<(usize, usize)>,
    products: Vec<Vec<T>>,
    values: Vec<T>,
}

impl<T: Real> SparseHessian<T> {
    /// Colours the variables of a pattern, which is made symmetric.
    ///
    /// # Panics
    ///
    /// If the pattern is not square.
    pub fn new(pattern: Pattern) -> Self {
        let n = pattern.columns;
        assert_eq!(pattern.rows.len(), n, "a Hessian has as many rows as columns");
        let both = pattern.entries().flat_map(|(row, column)| [(row, column), (column, row)]);
        let pattern = Pattern::new(n, n, both.collect::<Vec<_>>());
        let colours = pattern.star_colours();
        let groups = groups(&colours);
        let products = vec![vec![T::zero(); n]; groups.len()];
        let directions = groups.into_iter().map(|group| marked(n, group)).collect();
        // Entry (i, j) stands alone in row i of the product with j's colour if no other column of that
        // colour is in row i; else, by symmetry, in row j of that with i's colour.
        let alone = |row: usize, column: usize| {
            let same = |other: &&usize| colours[**other] == colours[column];
            pattern.rows[row].iter().filter(same).count() == 1
        };
        let sources = pattern.entries().map(|(row, column)| match alone(row, column) {
            true => (colours[column], row),
            false => (colours[row], column),
        });
        let sources = sources.collect();
        SparseHessian {
            starts: pattern.starts(),
            values: vec![T::zero(); pattern.len()],
            pattern,
            directions,
            sources,
            products,
        }
    }

    /// How many Hessian-vector products an evaluation takes.
    pub fn runs(&self) -> usize {
        self.directions.len()
    }

    /// The value at `x`; evaluates the Hessian, and writes the gradient to `gradient`. Allocates nothing
    /// of its own.
    ///
    /// # Panics
    ///
    /// If `x` or `gradient` does not fit the pattern.
    pub fn evaluate<F: Second<Real = T>>(
        &mut self,
        x: &[T],
        context: &F::Context<'_>,
        gradient: &mut [T],
    ) -> T {
        assert_eq!(x.len(), self.pattern.columns, "the Hessian has another number of columns");
        let mut value = [T::zero()];
        if self.directions.is_empty() {
            F::value(x, context, &mut value);
        }
        for (direction, product) in self.directions.iter().zip(&mut self.products) {
            value[0] = F::hvp(x, direction, context, gradient, product);
        }
        for (value, (colour, row)) in self.values.iter_mut().zip(&self.sources) {
            *value = self.products[*colour][*row];
        }
        value[0]
    }

    /// The entry of a row and column; 0 outside of the pattern.
    pub fn get(&self, row: usize, column: usize) -> T {
        let position = self.pattern.position(&self.starts, row, column);
        position.map_or_else(T::zero, |k| self.values[k])
    }

    /// The entries as (row, column, value), row by row.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, T)> + '_ {
        self.pattern.entries().zip(&self.values).map(|((row, column), value)| (row, column, *value))
    }

    /// The entries column by column: where each column starts, the rows, and the values.
    pub fn csc(&self) -> (Vec<usize>, Vec<usize>, Vec<T>) {
        csc(self.pattern.columns, self.triplets())
    }
}

fn csc<T: Real>(
    columns: usize,
    triplets: impl Iterator<Item = (usize, usize, T)>,
) -> (Vec<usize>, Vec<usize>, Vec<T>) {
    let mut of_columns = vec![Vec::new(); columns];
    triplets.for_each(|(row, column, value)| of_columns[column].push((row, value)));
    let mut starts = vec![0];
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for column in of_columns {
        rows.extend(column.iter().map(|(row, _)| *row));
        values.extend(column.iter().map(|(_, value)| *value));
        starts.push(rows.len());
    }
    (starts, rows, values)
}
