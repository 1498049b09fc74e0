package org.relaxvm.compiler.ir;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.relaxvm.compiler.type.Type;

/**
 * Bindings and a result: the body of a function or of a branch.
 *
 * @param blocks the bindings
 * @param body the result; in normal form a leaf
 * @param knownType what is known of the result outside, where symbolic variables that the bindings
 *     define are not known; empty as long as nobody derived it
 */
public record SeqExpr(List<BindingBlock> blocks, Expr body, Optional<Type> knownType)
    implements Expr {
  /** Copies the list. */
  public SeqExpr {
    blocks = List.copyOf(blocks);
  }

  /** A body whose type is to be derived. */
  public static SeqExpr of(List<BindingBlock> blocks, Expr body) {
    return new SeqExpr(blocks, body, Optional.empty());
  }

  /** All bindings in order. */
  public Stream<Binding> bindings() {
    return blocks.stream().flatMap(block -> block.bindings().stream());
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
