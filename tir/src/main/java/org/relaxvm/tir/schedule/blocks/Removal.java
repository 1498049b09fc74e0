package org.relaxvm.tir.schedule.blocks;

import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Takes a block out, with the loops around it that have nothing else in them, and a buffer. */
final class Removal extends IrMutator {
  private static final Stmt NOTHING = new Seq(List.of());

  private final BlockRealize gone;
  private final Optional<Buffer> buffer;

  private Removal(BlockRealize gone, Optional<Buffer> buffer) {
    this.gone = gone;
    this.buffer = buffer;
  }

  static Stmt of(Stmt root, BlockRealize gone, Buffer buffer) {
    return new Removal(gone, Optional.of(buffer)).rewrite(root);
  }

  /** The same without a buffer. */
  static Stmt of(Stmt root, BlockRealize gone) {
    return new Removal(gone, Optional.empty()).rewrite(root);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // that very block
  public Stmt rewrite(Stmt stmt) {
    if (stmt == gone) {
      return NOTHING;
    }
    Stmt changed = super.rewrite(stmt);
    return changed == stmt ? stmt : tidy(changed);
  }

  @Override
  public Block rewrite(Block block) {
    Block changed = super.rewrite(block);
    if (buffer.isEmpty() || !changed.allocBuffers().contains(buffer.get())) {
      return changed;
    }
    return new Block(
        changed.name(),
        changed.iterVars(),
        changed.reads(),
        changed.writes(),
        changed.allocBuffers().stream().filter(b -> !b.equals(buffer.get())).toList(),
        changed.init(),
        changed.body(),
        changed.annotations());
  }

  private static Stmt tidy(Stmt stmt) {
    return switch (stmt) {
      case For loop when isNothing(loop.body()) -> NOTHING;
      case Let let when isNothing(let.body()) -> NOTHING;
      case IfThenElse choice when isNothing(choice.whenTrue()) && choice.whenFalse().isEmpty() ->
          NOTHING;
      case IfThenElse choice
          when choice.whenFalse().isPresent() && isNothing(choice.whenFalse().get()) ->
          new IfThenElse(choice.condition(), choice.whenTrue(), Optional.empty());
      case Seq seq -> Seq.of(seq.statements().stream().filter(part -> !isNothing(part)).toList());
      default -> stmt;
    };
  }

  private static boolean isNothing(Stmt stmt) {
    return stmt instanceof Seq seq && seq.statements().isEmpty();
  }
}
