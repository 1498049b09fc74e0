package org.relaxvm.tir.fuse;

import java.util.List;
import java.util.Map;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferRegion;

/** Replaces parameters by arguments, and gives blocks and memory names of their own. */
final class Embedding extends IrMutator {
  private final Map<Buffer, Buffer> tensors;
  private final Map<Var, PrimExpr> symbols;
  private final UniqueNames bufferNames;
  private final UniqueNames blockNames;

  Embedding(
      Map<Buffer, Buffer> tensors,
      Map<Var, PrimExpr> symbols,
      UniqueNames bufferNames,
      UniqueNames blockNames) {
    this.tensors = tensors;
    this.symbols = symbols;
    this.bufferNames = bufferNames;
    this.blockNames = blockNames;
  }

  @Override
  public PrimExpr rewrite(PrimExpr expr) {
    return expr instanceof Var var ? symbols.getOrDefault(var, var) : super.rewrite(expr);
  }

  @Override
  protected Buffer rewriteBuffer(Buffer buffer) {
    Buffer argument = tensors.get(buffer);
    return argument != null
        ? argument
        : renamed(super.rewriteBuffer(buffer), bufferNames.of(buffer.name()));
  }

  static Buffer renamed(Buffer buffer, String name) {
    return new Buffer(
        name,
        buffer.dtype(),
        buffer.shape(),
        buffer.strides(),
        buffer.elemOffset(),
        buffer.scope());
  }

  @Override
  public Block rewrite(Block block) {
    Block changed = super.rewrite(block);
    // Two parameters may have become one buffer.
    List<BufferRegion> reads = changed.reads().stream().distinct().toList();
    List<BufferRegion> writes = changed.writes().stream().distinct().toList();
    return new Block(
        blockNames.of(block.name()),
        changed.iterVars(),
        reads,
        writes,
        changed.allocBuffers(),
        changed.init(),
        changed.body(),
        changed.annotations());
  }
}
