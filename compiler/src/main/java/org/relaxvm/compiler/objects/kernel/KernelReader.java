package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.InvalidKernelException;
import org.relaxvm.tir.verify.Verifier;

/**
 * Kernels from objects of type {@code tirx.PrimFunc}. Stateless.
 *
 * <p>Read differently from what is there:
 *
 * <ul>
 *   <li>In a kernel with int32 indices or extents, the variables of loops, of axes and of extents
 *       are int64, and so is arithmetic with them; where an int32 value is needed it is cast.
 *   <li>The attribute {@code s_tir} is left out, spans, alignments and factors of offsets are, too.
 *   <li>A sequence of one statement is that statement; {@code tirx.Evaluate} of a constant is the
 *       empty sequence; ordered axes are opaque.
 *   <li>Allocations outside of blocks are those of a block {@code root} around the body.
 * </ul>
 */
public final class KernelReader {
  /** Says that a kernel has blocks, or may get some; so it is with all here. */
  static final String HAS_BLOCKS = "s_tir";

  private final ScalarReader scalars;
  private final PackedCalls calls;
  private final StmtReader statements;

  private KernelReader(ScalarReader scalars) {
    this.scalars = scalars;
    this.calls = new PackedCalls(scalars);
    this.statements = new StmtReader(scalars, calls);
  }

  /**
   * Reads a kernel, and verifies it.
   *
   * @param name of the kernel, whatever its attributes say
   * @param primFunc of type {@code tirx.PrimFunc}
   * @param scalars of the module; keeps the variables of the kernel
   * @param problems gets what cannot be held
   * @param path of the node, for problems
   * @return empty only if there is a problem; one that is there may lack what is a problem, and was
   *     verified only if there is none
   */
  public static Optional<PrimFunc> read(
      String name, ObjectNode primFunc, ScalarReader scalars, Problems problems, String path) {
    NodeAccess node = new NodeAccess(primFunc, NodePath.of(path), problems);
    if (!node.key().equals("tirx.PrimFunc")) {
      node.problem("", "expected tirx.PrimFunc, but got " + node.key());
      return Optional.empty();
    }
    List<ObjectNode> widened = IndexWidth.widen(primFunc, scalars);
    PrimFunc function = new KernelReader(scalars).read(name, node);
    widened.forEach(scalars::forget);
    return Optional.ofNullable(function);
  }

  private @Nullable PrimFunc read(String name, NodeAccess node) {
    List<NodeAccess> given = node.children("params");
    List<Param> params = new ArrayList<>();
    for (NodeAccess variable : given) {
      Param param = param(variable);
      if (param != null) {
        params.add(param);
      }
    }
    Map<String, Object> attrs = attributes(node);
    DType returnType = returnType(node);
    List<Buffer> allocated = new ArrayList<>();
    NodeAccess inner = node.child("body");
    Stmt body = inner == null ? null : statements.readBody(inner, allocated);
    if (params.size() < given.size() || returnType == null || body == null) {
      return null;
    }
    Stmt whole = allocated.isEmpty() ? body : Block.root(allocated, body);
    PrimFunc function = node.make(() -> new PrimFunc(name, params, returnType, whole, attrs));
    return function == null || !verifies(function, node) ? null : function;
  }

  /** Whether a kernel is valid, as far as it was read; a problem if not. */
  private boolean verifies(PrimFunc function, NodeAccess node) {
    if (!node.problems().isEmpty()) {
      return true;
    }
    try {
      Verifier.verify(function);
      return true;
    } catch (InvalidKernelException e) {
      node.problems().add(statements.pathOf(e.statements(), node.path()).toString(), e.summary());
      return false;
    }
  }

  private static Map<String, Object> attributes(NodeAccess node) {
    NodeAccess given = node.child("attrs");
    if (given == null) {
      return Map.of();
    }
    Map<String, Object> attrs = new LinkedHashMap<>(Attributes.read(given, "__dict__"));
    attrs.remove(HAS_BLOCKS);
    return attrs;
  }

  private @Nullable Param param(NodeAccess variable) {
    NodeAccess type = variable.child("ty");
    if (type == null) {
      return null;
    }
    if (type.key().equals(BufferTypes.KEY)) {
      Buffer buffer = BufferTypes.read(variable, scalars);
      if (buffer == null) {
        return null;
      }
      scalars.bind(variable.node(), buffer);
      return new Param.OfBuffer(buffer);
    }
    if (PackedCalls.isHandle(type.node())) {
      Handle handle = new Handle(variable.text("name"));
      calls.bind(variable.node(), handle);
      return new Param.OfHandle(handle);
    }
    Var var = scalars.tryVariable(variable);
    return var == null ? null : new Param.OfScalar(var);
  }

  private static @Nullable DType returnType(NodeAccess node) {
    NodeAccess type = node.child("ret_type");
    if (type == null) {
      return null;
    }
    if (type.key().equals("ir.TupleType") && type.children("fields").isEmpty()) {
      return DType.VOID;
    }
    DType dtype = NodeAccess.scalarType(type.node());
    if (dtype == null) {
      type.problem("", "a result of " + type.key() + " cannot be held");
    }
    return dtype;
  }
}
