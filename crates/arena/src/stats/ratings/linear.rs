//! Systems of linear equations.

/// A positive definite matrix as LLᵀ, after Cholesky.
pub(super) struct Factored(Vec<Vec<f64>>);

impl Factored {
    /// Nothing, if the matrix is not positive definite as far as the numbers can tell.
    pub(super) fn new(mut matrix: Vec<Vec<f64>>) -> Option<Self> {
        for row in 0..matrix.len() {
            let (above, below) = matrix.split_at_mut(row);
            let current = &mut below[0];
            for column in 0..row {
                let dot = dot(&current[..column], &above[column][..column]);
                current[column] = (current[column] - dot) / above[column][column];
            }
            let pivot = current[row] - dot(&current[..row], &current[..row]);
            if !(pivot > 0.0 && pivot.is_finite()) {
                return None;
            }
            current[row] = pivot.sqrt();
        }
        Some(Self(matrix))
    }

    /// The x for which the matrix times x is `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let lower = &self.0;
        let mut x = right.to_vec();
        for row in 0..x.len() {
            x[row] = (x[row] - dot(&lower[row][..row], &x[..row])) / lower[row][row];
        }
        for row in (0..x.len()).rev() {
            x[row] /= lower[row][row];
            let value = x[row];
            for column in 0..row {
                x[column] -= lower[row][column] * value;
            }
        }
        x
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_by_hand() {
        // 4x + 2y = 10 and 2x + 3y = 11.
        let matrix = Factored::new(vec![vec![4.0, 2.0], vec![2.0, 3.0]]).unwrap();
        let solution = matrix.solve(&[10.0, 11.0]);
        assert!((solution[0] - 1.0).abs() < 1e-12 && (solution[1] - 3.0).abs() < 1e-12);
    }

    #[test]
    fn refuses_what_is_not_positive_definite() {
        assert!(Factored::new(vec![vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
        assert!(Factored::new(vec![vec![f64::NAN]]).is_none());
    }
}
