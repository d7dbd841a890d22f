//! Dense symmetric matrices: Cholesky's factors, the inverse, and the sandwich product. All inner loops are dot
//! products of contiguous rows; a thousand dimensions take about a second in all.

/// A square matrix, row by row. Symmetric ones are filled in the lower triangle and completed by [`Matrix::mirror`].
#[derive(Clone, Debug)]
pub struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

/// The lower triangular factor `L` of `L * L^T`.
#[derive(Clone, Debug)]
pub struct Cholesky(Matrix);

/// Rows that are multiplied together while they lie in the processor's cache.
const TILE: usize = 16;

/// The sum of the products; eight sums at a time, so that the processor need not wait for one addition before the next.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

impl Matrix {
    /// A matrix of this number of rows and columns, all zero.
    pub fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    /// How many rows it has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The cells of a row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] = value;
    }

    /// Adds to a cell.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    pub fn clear(&mut self) {
        self.cells.fill(0.0);
    }

    /// Adds `factor * v * v^T` to the lower triangle. Positions may be repeated: their values then add up.
    pub fn add_outer(&mut self, factor: f64, v: &[(usize, f64)]) {
        for (row, x) in v {
            for (column, y) in v.iter().filter(|(column, _)| column <= row) {
                self.add(*row, *column, factor * x * y);
            }
        }
    }

    /// Copies the lower triangle to the upper one.
    pub fn mirror(&mut self) {
        for row in 0..self.size {
            for column in 0..row {
                self.set(column, row, self.at(row, column));
            }
        }
    }

    /// The factor of the lower triangle; `None` where the matrix is not positive definite.
    pub fn cholesky(mut self) -> Option<Cholesky> {
        let size = self.size;
        for row in 0..size {
            let (above, below) = self.cells.split_at_mut(row * size);
            let current = &mut below[..size];
            for column in 0..row {
                let other = &above[column * size..(column + 1) * size];
                current[column] = (current[column] - dot(&current[..column], &other[..column])) / other[column];
            }
            let whole = current[row];
            let left = whole - dot(&current[..row], &current[..row]);
            // If the matrix is singular, the rest of the diagonal is rounding.
            if left.is_nan() || left <= 1e-13 * whole {
                return None;
            }
            current[row] = left.sqrt();
        }
        Some(Cholesky(self))
    }

    /// `self * middle * self` of symmetric matrices with both triangles.
    pub fn sandwich(&self, middle: &Matrix) -> Matrix {
        let half = self.product(middle, |_| self.size);
        let mut whole = half.product(self, |row| row + 1);
        whole.mirror();
        whole
    }

    /// `self * other^T`, the first `width(row)` cells of each row.
    fn product(&self, other: &Matrix, width: impl Fn(usize) -> usize) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for start in (0..self.size).step_by(TILE) {
            for row in 0..self.size {
                for column in start..width(row).min(start + TILE) {
                    product.set(row, column, dot(self.row(row), other.row(column)));
                }
            }
        }
        product
    }
}

impl Cholesky {
    /// Solves `L * L^T * x = right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let factor = &self.0;
        let mut x = right.to_vec();
        for row in 0..factor.size {
            x[row] = (x[row] - dot(&factor.row(row)[..row], &x[..row])) / factor.at(row, row);
        }
        for row in (0..factor.size).rev() {
            x[row] /= factor.at(row, row);
            let (value, cells) = (x[row], factor.row(row));
            x[..row].iter_mut().zip(cells).for_each(|(x, cell)| *x -= value * cell);
        }
        x
    }

    /// The inverse of `L * L^T`.
    pub fn inverse(&self) -> Matrix {
        let (factor, size) = (&self.0, self.0.size);
        // Row i of `upper` is column i of the inverse of L.
        let mut upper = Matrix::zero(size);
        for column in 0..size {
            let x = &mut upper.cells[column * size..(column + 1) * size];
            x[column] = 1.0 / factor.at(column, column);
            for row in column + 1..size {
                x[row] = -dot(&factor.row(row)[column..row], &x[column..row]) / factor.at(row, row);
            }
        }
        let mut inverse = Matrix::zero(size);
        for row in 0..size {
            for column in 0..=row {
                inverse.set(row, column, dot(&upper.row(row)[row..], &upper.row(column)[row..]));
            }
        }
        inverse.mirror();
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix of any size.
    fn example(size: usize) -> Matrix {
        let mut matrix = Matrix::zero(size);
        for row in 0..size {
            for column in 0..size {
                let apart = row.abs_diff(column) as f64;
                matrix.set(row, column, (-apart).exp() + if row == column { 0.5 } else { 0.0 });
            }
        }
        matrix
    }

    #[test]
    fn the_inverse_inverts() {
        for size in [1, 2, 7, 8, 40] {
            let matrix = example(size);
            let factor = matrix.clone().cholesky().unwrap();
            let unit = matrix.product(&factor.inverse(), |_| size);
            let right: Vec<f64> = (0..size).map(|x| x as f64).collect();
            let solved = factor.solve(&right);
            for (row, right) in right.iter().enumerate() {
                assert!((dot(matrix.row(row), &solved) - right).abs() < 1e-10);
                for column in 0..size {
                    assert!((unit.at(row, column) - f64::from(u8::from(row == column))).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_sandwich_with_its_own_inverse_is_itself() {
        let matrix = example(37);
        let inverse = matrix.clone().cholesky().unwrap().inverse();
        let found = inverse.sandwich(&matrix);
        (0..37).for_each(|cell| assert!((found.at(36, cell) - inverse.at(36, cell)).abs() < 1e-12));
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        let mut matrix = Matrix::zero(2);
        matrix.add_outer(1.0, &[(0, 1.0), (1, -1.0)]);
        assert!(matrix.cholesky().is_none());
        // A repeated position adds up: the two cancel.
        let mut matrix = Matrix::zero(1);
        matrix.add_outer(1.0, &[(0, 1.0), (0, -1.0)]);
        assert_eq!(matrix.at(0, 0), 0.0);
    }
}
