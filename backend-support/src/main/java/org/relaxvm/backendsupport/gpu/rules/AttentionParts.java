package org.relaxvm.backendsupport.gpu.rules;

import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/**
 * What attention is made of: {@code sum(exp(score - max) * value) / sum(exp(score - max))} over
 * keys, where a score is a formula of a sum of products. All in terms of the counters of loops.
 *
 * @param query the operand of the products that moves along the rows
 * @param key the operand that moves along the keys
 * @param start what products are added to
 * @param depth loops that products are summed over
 * @param product stands for the sum of products in the score
 * @param score of a row and a key
 * @param sight which keys a row sees, if not all: the others count for nothing, whatever they are
 * @param value what is weighted
 * @param batch loops along which keys or values differ
 * @param rows loops along which only queries do
 * @param keys the loop over keys
 * @param columns loops along which only values differ
 * @param mean stands for a result in what is stored
 * @param store what is done with a result
 * @param between the buffers between the stages, which nothing else may use
 */
record AttentionParts(
    PrimExpr query,
    PrimExpr key,
    PrimExpr start,
    List<For> depth,
    Var product,
    PrimExpr score,
    Optional<PrimExpr> sight,
    PrimExpr value,
    List<For> batch,
    List<For> rows,
    For keys,
    List<For> columns,
    Var mean,
    Stmt store,
    List<Buffer> between) {
  /** Copies the lists. */
  AttentionParts {
    depth = List.copyOf(depth);
    batch = List.copyOf(batch);
    rows = List.copyOf(rows);
    columns = List.copyOf(columns);
    between = List.copyOf(between);
  }
}
