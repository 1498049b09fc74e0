package org.relaxvm.backendcpu.jit.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;

/**
 * Where things are in the block of a call, which is native memory of 64-bit words in the byte order
 * of the machine: failure slots, addresses of the first elements of buffers, values of variables.
 *
 * <p>An integer is extended to 64 bits, with its sign if it has one; a boolean is 0 or 1. A float64
 * is its bits. Any other float is the bits of a float32 with the same value, in the first four
 * bytes of the word; the other four are undefined.
 *
 * @param buffers the offset of the word with the address of each buffer, in bytes
 * @param variables the offset of the word with the value of each variable, in bytes
 */
public record BlockLayout(Map<Buffer, Integer> buffers, Map<Var, Integer> variables) {
  /** Copies the maps. */
  public BlockLayout {
    buffers = Map.copyOf(buffers);
    variables = Map.copyOf(variables);
  }

  /** A block with failure slots alone. */
  public static BlockLayout empty() {
    return new BlockLayout(Map.of(), Map.of());
  }

  /** The layout of a block for some buffers and variables, in their order. */
  public static BlockLayout of(List<Buffer> buffers, List<Var> variables) {
    BlockLayout layout = empty();
    for (Buffer buffer : buffers) {
      layout = layout.with(buffer);
    }
    for (Var variable : variables) {
      layout = layout.with(variable);
    }
    return layout;
  }

  /** The size of the block. */
  public int byteSize() {
    return (LirFunction.FAILURE_SLOTS + buffers.size() + variables.size()) * Long.BYTES;
  }

  /** This layout with one more word, for the address of a buffer that it does not have. */
  public BlockLayout with(Buffer buffer) {
    Map<Buffer, Integer> more = new HashMap<>(buffers);
    more.put(buffer, byteSize());
    return new BlockLayout(more, variables);
  }

  /** This layout with one more word, for the value of a variable that it does not have. */
  public BlockLayout with(Var variable) {
    Map<Var, Integer> more = new HashMap<>(variables);
    more.put(variable, byteSize());
    return new BlockLayout(buffers, more);
  }

  /** Whether the block has the address of a buffer. */
  public boolean has(Buffer buffer) {
    return buffers.containsKey(buffer);
  }

  /** Whether the block has the value of a variable. */
  public boolean has(Var variable) {
    return variables.containsKey(variable);
  }

  /** The offset of the word with the address of the first element of a buffer, in bytes. */
  public int offset(Buffer buffer) {
    Integer offset = buffers.get(buffer);
    if (offset == null) {
      throw new IllegalStateException("the block has no address of the buffer " + buffer);
    }
    return offset;
  }

  /** The offset of the word with the value of a variable, in bytes. */
  public int offset(Var variable) {
    Integer offset = variables.get(variable);
    if (offset == null) {
      throw new IllegalStateException("the block has no value of the variable " + variable);
    }
    return offset;
  }
}
