package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.CallLinkage;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.PackedArg;

/** Reads calls of packed functions, and the handles that they get. */
final class PackedCalls {
  /** Makes a value of another type of the same bits; of 0, a pointer to nothing. */
  static final String REINTERPRET = "tirx.reinterpret";

  /** The value in a cell of a list. */
  static final String GET_ITEM = "tirx.anylist_getitem";

  private static final DType HANDLE = DType.parse("handle");

  private final ScalarReader scalars;
  private final Map<ObjectNode, Handle> handles = new IdentityHashMap<>();

  PackedCalls(ScalarReader scalars) {
    this.scalars = scalars;
  }

  /** The operator of a call. */
  static String operator(CallLinkage linkage, boolean storesResult) {
    return storesResult ? "tirx." + linkage.storingText() : "tirx.tvm_" + linkage.text();
  }

  /** Whether a type is that of opaque pointers. */
  static boolean isHandle(@Nullable Object type) {
    return HANDLE.equals(NodeAccess.scalarType(type))
        || (type instanceof ObjectNode node && node.type().key().equals("ir.PointerType"));
  }

  /** The type of opaque pointers. */
  static DType handle() {
    return HANDLE;
  }

  /** Makes a handle the one of a node. */
  void bind(ObjectNode node, Handle handle) {
    handles.put(node, handle);
  }

  /** Whether an expression is a call of a packed function. */
  boolean isCall(NodeAccess expr) {
    String operator = operatorOf(expr);
    for (CallLinkage linkage : CallLinkage.values()) {
      if (operator.equals(operator(linkage, false)) || operator.equals(operator(linkage, true))) {
        return true;
      }
    }
    return false;
  }

  /** The name of the operator that an expression calls; empty of other expressions. */
  static String operatorOf(NodeAccess expr) {
    NodeAccess op = expr.key().equals("ir.Call") ? expr.child("op") : null;
    return op != null && op.key().equals("ir.Op") ? op.text("name") : "";
  }

  /** A call for which {@link #isCall}; null, and problems, if it cannot be held. */
  @Nullable CallPacked read(NodeAccess call) {
    String operator = operatorOf(call);
    boolean compiled =
        operator.equals(operator(CallLinkage.CPACKED, false))
            || operator.equals(operator(CallLinkage.CPACKED, true));
    CallLinkage linkage = compiled ? CallLinkage.CPACKED : CallLinkage.PACKED;
    boolean stores = operator.equals(operator(linkage, true));
    List<NodeAccess> args = call.children("args");
    int first = stores ? 2 : 0;
    if (args.size() <= first || !args.get(first).key().equals("tirx.StringImm")) {
      call.problem(".args[" + first + "]", "expected the name of the function");
      return null;
    }
    AnyListItem cell = stores ? item(call, args) : null;
    List<PackedArg> values = new ArrayList<>();
    for (NodeAccess arg : args.subList(first + 1, args.size())) {
      PackedArg value = argument(arg);
      if (value != null) {
        values.add(value);
      }
    }
    if (values.size() + first + 1 < args.size() || (stores && cell == null)) {
      return null;
    }
    String name = args.get(first).text("value");
    return new CallPacked(name, values, linkage, Optional.ofNullable(cell));
  }

  private @Nullable AnyListItem item(NodeAccess call, List<NodeAccess> args) {
    if (args.size() < 2) {
      call.problem(".args", "expected a list and the number of a cell");
      return null;
    }
    Handle list = handle(args.get(0));
    PrimExpr index = scalars.tryRead(args.get(1));
    if (list == null || index == null) {
      return null;
    }
    if (index instanceof IntImm known && known.value() == (int) known.value()) {
      return args.get(1).make(() -> new AnyListItem(list, (int) known.value()));
    }
    args.get(1).problem("", "expected the number of a cell");
    return null;
  }

  private @Nullable Handle handle(NodeAccess node) {
    Handle handle = handles.get(node.node());
    if (handle == null) {
      node.problem("", "expected a handle that is a parameter");
    }
    return handle;
  }

  private @Nullable PackedArg argument(NodeAccess arg) {
    if (arg.key().equals("tirx.StringImm")) {
      return new PackedArg.OfText(arg.text("value"));
    }
    if (operatorOf(arg).equals(GET_ITEM)) {
      AnyListItem item = item(arg, arg.children("args"));
      return item == null ? null : new PackedArg.OfItem(item);
    }
    if (isNull(arg)) {
      return new PackedArg.OfNull();
    }
    if (arg.key().equals("ir.Var") && isHandle(arg.get("ty"))) {
      Handle handle = handle(arg);
      return handle == null ? null : new PackedArg.OfHandle(handle);
    }
    if (arg.get("ty") instanceof ObjectNode type && type.type().key().equals(BufferTypes.KEY)) {
      Buffer buffer = scalars.buffer(arg);
      return buffer == null ? null : new PackedArg.OfBuffer(buffer);
    }
    PrimExpr value = scalars.readValue(arg);
    return value == null ? null : new PackedArg.OfScalar(value);
  }

  private static boolean isNull(NodeAccess arg) {
    if (!operatorOf(arg).equals(REINTERPRET) || !HANDLE.equals(arg.dtype())) {
      return false;
    }
    List<NodeAccess> args = arg.children("args");
    return args.size() == 1
        && args.getFirst().key().equals("ir.IntImm")
        && args.getFirst().integer("value") == 0;
  }
}
