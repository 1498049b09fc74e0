package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.Var;

/**
 * Kernels as objects of type {@code tirx.PrimFunc}. Stateless.
 *
 * <p>A let statement is {@code tirx.Bind} in front of its body; a sequence of one statement that
 * statement, and the empty one {@code tirx.Evaluate} of 0, since Apache TVM has neither.
 */
public final class KernelWriter {
  private KernelWriter() {}

  /**
   * A kernel as a node.
   *
   * @param scalars of the module; keeps the nodes of the kernel's variables
   * @param nodes of the module
   */
  public static ObjectNode write(PrimFunc kernel, ScalarWriter scalars, NodeMaker nodes) {
    StmtWriter statements = new StmtWriter(scalars, nodes);
    List<ObjectNode> params = new ArrayList<>();
    List<ObjectNode> types = new ArrayList<>();
    for (Param param : kernel.params()) {
      switch (param) {
        case Param.OfBuffer(Buffer buffer) -> {
          params.add(scalars.buffer(buffer));
          types.add(tensorType(buffer, scalars, nodes));
        }
        case Param.OfScalar(Var var) -> {
          params.add(scalars.variable(var));
          types.add(nodes.scalarType(var.dtype()));
        }
        case Param.OfHandle(Handle handle) -> {
          params.add(statements.handle(handle));
          types.add(nodes.make("relax.AnyType"));
        }
      }
    }
    ObjectNode result = resultType(kernel, nodes);
    ObjectNode type =
        nodes.make(
            "relax.FuncType",
            "params",
            List.copyOf(types),
            "ret",
            result,
            "derive_func",
            null,
            "purity",
            false);
    return nodes.make(
        "tirx.PrimFunc",
        "ty",
        type,
        "attrs",
        nodes.make("ir.DictAttrs", "__dict__", attributes(kernel)),
        "params",
        List.copyOf(params),
        "ret_type",
        result,
        "body",
        statements.write(kernel.body()));
  }

  private static Map<String, Object> attributes(PrimFunc kernel) {
    Map<String, Object> attrs = new LinkedHashMap<>(kernel.attrs());
    if (!kernel.isHostFunction()) {
      attrs.put(KernelReader.HAS_BLOCKS, true);
    }
    return Collections.unmodifiableMap(attrs);
  }

  private static ObjectNode resultType(PrimFunc kernel, NodeMaker nodes) {
    return kernel.returnType().equals(DType.VOID)
        ? nodes.make("ir.TupleType", "fields", List.of())
        : nodes.scalarType(kernel.returnType());
  }

  private static ObjectNode tensorType(Buffer buffer, ScalarWriter scalars, NodeMaker nodes) {
    List<ObjectNode> extents = scalars.writeAll(buffer.shape());
    ObjectNode shapeType =
        nodes.make("relax.ShapeType", "values", extents, "ndim", (long) buffer.rank());
    ObjectNode shape = nodes.make("relax.expr.ShapeExpr", "ty", shapeType, "values", extents);
    return nodes.make(
        "relax.TensorType",
        "shape",
        shape,
        "dtype",
        nodes.scalarType(buffer.dtype()),
        "vdevice",
        null,
        "ndim",
        (long) buffer.rank());
  }
}
