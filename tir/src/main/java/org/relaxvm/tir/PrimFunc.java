package org.relaxvm.tir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.stmt.Annotations;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A kernel: parameters and a body. Outputs are parameters, after the inputs. Immutable and
 * thread-safe.
 *
 * <p>Two are the same kernel when they are equal up to the names of variables and buffers: {@link
 * org.relaxvm.tir.rewrite.StructuralEquality} compares that way, {@code equals} does not.
 *
 * @param returnType of {@link org.relaxvm.tir.stmt.Return}; {@link DType#VOID} of most kernels
 * @param attrs attributes for passes and devices, such as {@code op_pattern}
 */
public record PrimFunc(
    String name, List<Param> params, DType returnType, Stmt body, Map<String, Object> attrs) {
  /** Copies lists and maps. */
  public PrimFunc {
    params = List.copyOf(params);
    attrs = Annotations.copyOf(attrs);
  }

  /** A kernel of buffers without a result and without attributes. */
  public static PrimFunc of(String name, List<Buffer> buffers, Stmt body) {
    return new PrimFunc(
        name,
        buffers.stream().<Param>map(Param.OfBuffer::new).toList(),
        DType.VOID,
        body,
        Map.of());
  }

  /** The buffers among the parameters, in order. */
  public List<Buffer> buffers() {
    List<Buffer> buffers = new ArrayList<>(params.size());
    for (Param param : params) {
      if (param instanceof Param.OfBuffer(Buffer buffer)) {
        buffers.add(buffer);
      }
    }
    return Collections.unmodifiableList(buffers);
  }

  /**
   * Whether it is a host function: one that takes handles, calls packed functions and has no
   * buffers. It runs on the host, whatever the devices of its program.
   */
  public boolean isHostFunction() {
    return params.stream().anyMatch(param -> param instanceof Param.OfHandle);
  }

  /** The same kernel under another name. */
  public PrimFunc withName(String newName) {
    return new PrimFunc(newName, params, returnType, body, attrs);
  }

  /** The same kernel with another body. */
  public PrimFunc withBody(Stmt newBody) {
    return new PrimFunc(name, params, returnType, newBody, attrs);
  }

  /** The same kernel with other attributes. */
  public PrimFunc withAttrs(Map<String, ?> newAttrs) {
    return new PrimFunc(name, params, returnType, body, Annotations.copyOf(newAttrs));
  }
}
