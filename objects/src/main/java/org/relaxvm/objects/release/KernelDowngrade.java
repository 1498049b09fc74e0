package org.relaxvm.objects.release;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.objects.schema.TvmRelease;

/** Kernels of the newest release as those of one up to 0.25. Not thread-safe. */
final class KernelDowngrade {

  private static final String BUFFER_DATA = "tirx.buffer_data";
  private static final String RELAX = "relax.";

  private final Downgrade downgrade;
  private final Target target;
  private final Definitions definitions;
  private final NestedBody bodies;
  private final Map<Object, ObjectNode> handles = new IdentityHashMap<>();

  KernelDowngrade(Downgrade downgrade, Definitions definitions) {
    this.downgrade = downgrade;
    this.target = downgrade.target;
    this.definitions = definitions;
    this.bodies = new NestedBody(downgrade);
  }

  /** What becomes of an object that is not of programs only. */
  @Nullable Object make(ObjectNode node) {
    boolean isNested = target.release() == TvmRelease.V0_22;
    boolean hasJumps = target.release().compareTo(TvmRelease.V0_25) >= 0;
    return switch (node.type().key()) {
      case "tirx.PrimFunc" -> primFunc(node);
      case "tirx.Return" -> result(node);
      case "tirx.Break" -> hasJumps ? downgrade.copy(node) : jump(node, "break_loop");
      case "tirx.Continue" -> hasJumps ? downgrade.copy(node) : jump(node, "continue_loop");
      case "tirx.DeclBuffer" -> isNested ? bodies.make(node) : declaration(node);
      case "tirx.Bind", "tirx.AllocBuffer", "tirx.AssertStmt", "tirx.SeqStmt" ->
          isNested ? bodies.make(node) : downgrade.copy(node);
      case "tirx.SBlock" -> isNested ? downgrade.copy(node, "tir.Block") : downgrade.copy(node);
      case "tirx.SBlockRealize" ->
          isNested ? downgrade.copy(node, "tir.BlockRealize") : downgrade.copy(node);
      default -> downgrade.copy(node);
    };
  }

  // ---------------------------------------------------------------- variables

  /** The parts of a scalar variable, a pointer or a buffer. */
  List<Rewriting.Part> variableParts(ObjectNode node) {
    List<Rewriting.Part> parts = Rewriting.fields(node, "span");
    if (definitions.isBuffer(node)) {
      Object type = Nodes.field(node, "ty");
      for (String field : List.of("shape", "strides", "elem_offset", "layout", "allocated_addr")) {
        parts.add(new Rewriting.Part("ty." + field, Nodes.field(type, field)));
      }
      parts.add(new Rewriting.Part("data", definitions.memoryOf(node)));
    }
    return parts;
  }

  /** A scalar variable, a pointer or a buffer. */
  @Nullable Object variable(ObjectNode node) {
    return definitions.isBuffer(node)
        ? buffer(node)
        : downgrade.copy(
            node,
            target.kernel("Var"),
            "name",
            Nodes.text(node, "name"),
            "type_annotation",
            plainType(Nodes.field(node, "ty")));
  }

  /** The dtype of an expression: of pointers and texts, a handle. */
  DType dtype(ObjectNode expr) {
    Object type = Nodes.field(expr, "ty");
    return Nodes.key(type).equals("ir.PrimType") && !expr.type().key().equals("tirx.StringImm")
        ? Coercion.dtypeOf(expr)
        : Names.HANDLE;
  }

  /** A type of kernels. Pointers to pointers may be many. */
  private @Nullable Object plainType(@Nullable Object type) {
    List<String> scopes = new ArrayList<>();
    Object element = type;
    while (Nodes.key(element).equals("ir.PointerType")) {
      scopes.add(Nodes.text(element, "storage_scope"));
      element = Nodes.field(element, "element_type");
    }
    Object plain =
        switch (Nodes.key(element)) {
          case "ir.PrimType" -> target.scalarType(Coercion.dtypeOf(element));
          case "ir.TupleType" -> tuple(element);
          default -> {
            downgrade.refuse("", "the type " + Nodes.key(element) + " in a kernel");
            yield null;
          }
        };
    for (String scope : scopes.reversed()) {
      plain = pointer(plain, scope);
    }
    return plain;
  }

  private Object tuple(@Nullable Object type) {
    if (!Nodes.list(type, "fields").isEmpty()) {
      downgrade.refuse("", "a kernel with several results");
    }
    return target.make("ir.TupleType", "fields", List.of());
  }

  private ObjectNode pointer(@Nullable Object element, String scope) {
    return target.make("ir.PointerType", "element_type", element, "storage_scope", scope);
  }

  private Object buffer(ObjectNode node) {
    Object type = Nodes.field(node, "ty");
    DType dtype = Coercion.dtypeOf(Nodes.field(type, "dtype"));
    List<@Nullable Object> fields = new ArrayList<>();
    Collections.addAll(fields, "data", data(node, type), "dtype", dtype);
    for (String field : List.of("shape", "strides", "elem_offset")) {
      Collections.addAll(fields, field, downgrade.of(Nodes.field(type, field)));
    }
    Collections.addAll(fields, "axis_separators", List.of(), "name", Nodes.text(node, "name"));
    for (String field : List.of("data_alignment", "offset_factor")) {
      Collections.addAll(fields, field, Nodes.field(type, field));
    }
    Collections.addAll(fields, "buffer_type", 1L, "span", downgrade.of(Nodes.field(node, "span")));
    if (target.release().compareTo(TvmRelease.V0_25) >= 0) {
      for (String field : List.of("layout", "allocated_addr")) {
        Collections.addAll(fields, field, downgrade.of(Nodes.field(type, field)));
      }
    } else {
      requireNoAddress(type);
    }
    return target.make(target.kernel("Buffer"), fields.toArray());
  }

  private void requireNoAddress(@Nullable Object type) {
    if (!Nodes.list(type, "allocated_addr").isEmpty()) {
      downgrade.refuse(".ty.allocated_addr", "an address");
    }
    if (Nodes.field(type, "layout") != null) {
      downgrade.refuse(".ty.layout", "a layout");
    }
  }

  private @Nullable Object data(ObjectNode node, @Nullable Object type) {
    Object declared = definitions.memoryOf(node);
    if (declared != null) {
      return downgrade.of(declared);
    }
    DType dtype = Coercion.dtypeOf(Nodes.field(type, "dtype"));
    // Booleans are stored as bytes.
    ObjectNode element = target.scalarType(dtype.equals(DType.BOOL) ? DType.INT8 : dtype);
    return target.make(
        target.kernel("Var"),
        "dtype",
        Names.HANDLE,
        "name",
        Nodes.text(node, "name"),
        "type_annotation",
        pointer(element, Nodes.text(type, "storage_scope")));
  }

  // ---------------------------------------------------------------- expressions

  /** Whether a call is of a function of the kernel language. */
  boolean isCall(ObjectNode call) {
    Object op = Nodes.field(call, "op");
    return Nodes.key(op).equals("ir.Op") && !Nodes.text(op, "name").startsWith(RELAX);
  }

  /** Whether a call is of the function that gives the pointer of a buffer. */
  boolean isPointer(ObjectNode call) {
    return Nodes.text(Nodes.field(call, "op"), "name").equals(BUFFER_DATA)
        && Nodes.list(call, "args").size() == 1;
  }

  /** A call of a function of the kernel language; up to 0.25 a buffer has its pointer. */
  @Nullable Object call(ObjectNode node) {
    return isPointer(node)
        ? Nodes.field(downgrade.of(Nodes.list(node, "args").getFirst()), "data")
        : downgrade.copy(node, target.kernel("Call"));
  }

  // ---------------------------------------------------------------- statements

  private @Nullable Object result(ObjectNode node) {
    Object value = downgrade.of(Nodes.field(node, "value"));
    return evaluate(node, "ret", Coercion.dtypeOf(value), Collections.singletonList(value));
  }

  private @Nullable Object jump(ObjectNode node, String operator) {
    return evaluate(node, operator, DType.VOID, List.of());
  }

  private Object evaluate(ObjectNode node, String operator, DType dtype, List<?> args) {
    ObjectNode call =
        target.make(
            target.kernel("Call"),
            "dtype",
            dtype,
            "op",
            target.operator(target.kernel(operator)),
            "args",
            args);
    return target.make(
        target.kernel("Evaluate"), "span", downgrade.of(Nodes.field(node, "span")), "value", call);
  }

  private Object declaration(ObjectNode node) {
    return target.make(
        target.kernel("DeclBuffer"),
        "span",
        downgrade.of(Nodes.field(node, "span")),
        "buffer",
        downgrade.of(Nodes.field(node, "buffer")));
  }

  private @Nullable Object primFunc(ObjectNode node) {
    List<@Nullable Object> params = new ArrayList<>();
    Map<Object, @Nullable Object> buffers = new LinkedHashMap<>();
    for (Object param : Nodes.list(node, "params")) {
      if (definitions.isBuffer(param)) {
        ObjectNode handle = handles.computeIfAbsent(param, this::handle);
        params.add(handle);
        buffers.put(handle, downgrade.of(param));
      } else {
        params.add(downgrade.of(param));
      }
    }
    return downgrade.copy(
        node,
        target.kernel("PrimFunc"),
        "attrs",
        withoutMark(downgrade.of(Nodes.field(node, "attrs"))),
        "params",
        Collections.unmodifiableList(params),
        "ret_type",
        plainType(Nodes.field(node, "ret_type")),
        "buffer_map",
        Collections.unmodifiableMap(buffers));
  }

  private ObjectNode handle(Object buffer) {
    return target.make(
        target.kernel("Var"),
        "dtype",
        Names.HANDLE,
        "name",
        Nodes.text(buffer, "name") + "_handle",
        "type_annotation",
        target.scalarType(Names.HANDLE));
  }

  /** Attributes; that a kernel has blocks is said since 0.25. */
  private @Nullable Object withoutMark(@Nullable Object attrs) {
    Map<?, ?> entries = Nodes.map(attrs, "__dict__");
    if (target.release().compareTo(TvmRelease.V0_25) >= 0
        || !entries.containsKey(Names.HAS_BLOCKS)) {
      return attrs;
    }
    Map<Object, @Nullable Object> rest = new LinkedHashMap<>(entries);
    rest.remove(Names.HAS_BLOCKS);
    return target.make("ir.DictAttrs", "__dict__", Collections.unmodifiableMap(rest));
  }
}
