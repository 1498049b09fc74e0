package org.relaxvm.backendsupport.gpu.gemm;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A sum of products of float32, for each matrix of a batch of matrices.
 *
 * @param batch how many matrices of results
 * @param rows of each
 * @param columns of each
 * @param depth products that are added to each result
 * @param rowOperand moves along the rows
 * @param columnOperand moves along the columns
 * @param finish does what is left to do with each sum
 */
public record Gemm(
    PrimExpr batch,
    PrimExpr rows,
    PrimExpr columns,
    PrimExpr depth,
    Operand rowOperand,
    Operand columnOperand,
    Finish finish) {
  /** The same with rows for columns. */
  public Gemm transposed() {
    return new Gemm(batch, columns, rows, depth, columnOperand, rowOperand, new Transposed(finish));
  }

  /** The elements of an operand. */
  @FunctionalInterface
  public interface Operand {
    /**
     * An element at an index of its rows or columns and of the depth: a float32, or what becomes
     * one. Each call gives the same.
     */
    PrimExpr at(PrimExpr batch, PrimExpr along, PrimExpr depth);
  }

  /** What becomes of sums. */
  public interface Finish {
    /** What is done with one sum. Each call gives a statement of its own. */
    Stmt of(PrimExpr batch, PrimExpr row, PrimExpr column, PrimExpr sum);

    /**
     * What is done with the sums of some adjacent columns. Each call gives a statement of its own.
     *
     * @param column the first one, a multiple of {@code lanes}
     * @param sum of a column, counted from the first
     * @return empty where results are not adjacent in memory
     */
    Optional<Stmt> run(
        PrimExpr batch, PrimExpr row, PrimExpr column, int lanes, UnaryOperator<PrimExpr> sum);
  }

  /** With rows for columns, so that adjacent columns are rows of memory. */
  private record Transposed(Finish finish) implements Finish {
    @Override
    public Stmt of(PrimExpr batch, PrimExpr row, PrimExpr column, PrimExpr sum) {
      return finish.of(batch, column, row, sum);
    }

    @Override
    public Optional<Stmt> run(
        PrimExpr batch, PrimExpr row, PrimExpr column, int lanes, UnaryOperator<PrimExpr> sum) {
      return Optional.empty();
    }
  }
}
