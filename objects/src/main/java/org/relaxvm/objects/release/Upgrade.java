package org.relaxvm.objects.release;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.objects.schema.TvmRelease;

/** Objects of a release up to 0.25 as those of the newest. Statements are in {@link FlatBody}. */
final class Upgrade extends Rewriting {
  /** Fields whose content is elsewhere, or is left out. */
  private static final Set<String> CARRIED =
      Set.of(
          "dtype",
          "struct_info_",
          "struct_info",
          "ret_struct_info",
          "sinfo_args",
          "tensor_sinfo",
          "type_annotation",
          "features");

  private static final String STRUCT_INFO = "struct_info_";

  private final Memory memory;
  private final FlatBody bodies;

  /** The variable of an identity, which several objects may be. */
  private final Map<Object, ObjectNode> variables = new IdentityHashMap<>();

  Upgrade(Target target, Memory memory) {
    super(target);
    this.memory = memory;
    this.bodies = new FlatBody(this, memory);
  }

  private String key(ObjectNode node) {
    return target.plain(node.type().key());
  }

  // ---------------------------------------------------------------- parts

  @Override
  List<Part> parts(ObjectNode node) {
    if (bodies.isNested(node)) {
      return bodies.parts(node);
    }
    return switch (key(node)) {
      case "relax.expr.Var", "relax.expr.DataflowVar" -> fields(node, "span", STRUCT_INFO);
      case "relax.PrimStructInfo", "ir.Op", "ir.EnvFunc" -> List.of();
      case "tirx.Var", "tirx.SizeVar" -> variableParts(node);
      case "tirx.Buffer" ->
          fields(node, "span", "shape", "strides", "elem_offset", "layout", "allocated_addr");
      case "tirx.PrimFunc" -> functionParts(node);
      case "tirx.DeclBuffer" -> declarationParts(node);
      case "tirx.Evaluate" ->
          isCallOf(node, "tirx.ret")
              ? resultParts(node)
              : isJump(node) ? fields(node, "span") : references(node);
      default -> references(node);
    };
  }

  private List<Part> variableParts(ObjectNode node) {
    List<Part> parts = fields(node, "span", "type_annotation");
    parts.add(new Part("buffer", memory.owner(node)));
    return parts;
  }

  /** A parameter that is the pointer of a buffer is that buffer. */
  private List<Part> functionParts(ObjectNode node) {
    List<Part> parts = fields(node, "span", STRUCT_INFO, "attrs", "ret_type");
    Map<?, ?> buffers = Nodes.map(node, "buffer_map");
    List<?> params = Nodes.list(node, "params");
    List<@Nullable Object> read = new ArrayList<>();
    params.forEach(param -> read.add(buffers.containsKey(param) ? buffers.get(param) : param));
    parts.add(new Part("params", Collections.unmodifiableList(read)));
    parts.addAll(fields(node, "body"));
    return parts;
  }

  private static List<Part> declarationParts(ObjectNode node) {
    List<Part> parts = references(node);
    parts.add(new Part("buffer.data", Nodes.field(Nodes.field(node, "buffer"), "data")));
    return parts;
  }

  private static List<Part> resultParts(ObjectNode node) {
    List<Part> parts = fields(node, "span");
    parts.add(new Part("value.args", Nodes.field(Nodes.field(node, "value"), "args")));
    return parts;
  }

  /** Whether a statement calls a function of the kernel language. */
  private boolean isCallOf(ObjectNode evaluate, String name) {
    Object op = Nodes.field(Nodes.field(evaluate, "value"), "op");
    return Nodes.key(op).equals("ir.Op") && target.plain(Nodes.text(op, "name")).equals(name);
  }

  // ---------------------------------------------------------------- objects

  @Override
  @Nullable Object make(ObjectNode node) {
    if (bodies.isNested(node)) {
      return bodies.make(node);
    }
    return switch (key(node)) {
      case "ir.Op" -> operator(node);
      case "ir.DictAttrs" -> attributes(node);
      case "ir.PrimType" -> target.scalarType(Coercion.dtypeOf(node));
      case "ir.EnvFunc" -> target.make("ir.EnvFunc", "name", Names.newer(Nodes.text(node, "name")));
      case "ir.AttrFieldInfo" -> copy(node, "ir.ArgumentInfo");
      case "relax.ObjectType", "relax.ObjectStructInfo" -> copy(node, "relax.AnyType");
      case "relax.PrimStructInfo" -> target.scalarType(Coercion.dtypeOf(node));
      case "relax.ShapeStructInfo", "relax.ShapeType" -> copy(node, "relax.ShapeType");
      case "relax.TensorStructInfo", "relax.DynTensorType" -> tensorType(node);
      case "relax.TupleStructInfo" -> copy(node, "ir.TupleType");
      case "relax.FuncStructInfo" -> copy(node, "relax.FuncType");
      case "relax.DTensorStructInfo" ->
          copy(node, "relax.DTensorType", "tensor_ty", of(Nodes.field(node, "tensor_sinfo")));
      case "relax.expr.Var" -> variable(node, "ir.Var");
      case "relax.expr.DataflowVar" -> variable(node, "relax.expr.DataflowVar");
      case "relax.expr.PrimValue" -> of(Nodes.field(node, "value"));
      case "relax.expr.Call" -> call(node, all(Nodes.list(node, "sinfo_args")));
      case "relax.expr.Function" -> function(node);
      case "relax.expr.MatchCast" -> matchCast(node);
      default -> kernel(node);
    };
  }

  private @Nullable Object kernel(ObjectNode node) {
    return switch (key(node)) {
      case "tirx.Var", "tirx.SizeVar" -> scalarVariable(node);
      case "tirx.Call" -> call(node, List.of());
      case "tirx.StringImm" -> copy(node, "tirx.StringImm", "ty", target.scalarType(DType.VOID));
      case "tirx.Buffer" -> buffer(node);
      case "tirx.PrimFunc" -> primFunc(node);
      case "tirx.Block" -> copy(node, "tirx.SBlock");
      case "tirx.BlockRealize" -> copy(node, "tirx.SBlockRealize");
      case "tirx.Evaluate" -> evaluate(node);
      case "tirx.DeclBuffer" -> bodies.declaration(node);
      default -> copy(node);
    };
  }

  /** Attributes by name, which are plain values. */
  private ObjectNode attributes(ObjectNode node) {
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    Nodes.map(node, "__dict__")
        .forEach((name, value) -> entries.put(renamed(name), plain(of(value))));
    return target.make("ir.DictAttrs", "__dict__", Collections.unmodifiableMap(entries));
  }

  private Object renamed(Object name) {
    return name instanceof String text ? target.renamed(text) : name;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      return Coercion.plain(value);
    }
    List<@Nullable Object> plain = new ArrayList<>();
    list.forEach(element -> plain.add(Coercion.plain(element)));
    return Collections.unmodifiableList(plain);
  }

  // ---------------------------------------------------------------- relax

  private @Nullable Object tensorType(ObjectNode node) {
    DType dtype = Coercion.dtypeOf(node);
    return copy(
        node,
        "relax.TensorType",
        "dtype",
        dtype.equals(DType.VOID) ? null : target.scalarType(dtype));
  }

  /** A variable; all with one identity are the same. */
  private @Nullable Object variable(ObjectNode node, String key) {
    Object identity = Nodes.field(node, "vid");
    ObjectNode known = identity == null ? null : variables.get(identity);
    if (known != null) {
      return known;
    }
    Object made = copy(node, key, "name", Nodes.text(identity, "name_hint"));
    if (identity != null && made instanceof ObjectNode variable) {
      variables.put(identity, variable);
    }
    return made;
  }

  private @Nullable Object call(ObjectNode node, List<?> typeArgs) {
    return copy(node, "ir.Call", "attrs", of(Nodes.field(node, "attrs")), "ty_args", typeArgs);
  }

  private @Nullable Object function(ObjectNode node) {
    List<?> params = Nodes.list(node, "params");
    for (int i = 0; i < params.size(); i++) {
      requireNoValue(".params[" + i + "]." + STRUCT_INFO, Nodes.field(params.get(i), STRUCT_INFO));
    }
    return copy(node, "relax.expr.Function", "ret_ty", of(Nodes.field(node, "ret_struct_info")));
  }

  private @Nullable Object matchCast(ObjectNode node) {
    Object info = Nodes.field(node, "struct_info");
    requireNoValue(".struct_info", info);
    return copy(node, "relax.expr.MatchCast", "ty", of(info));
  }

  /** Where a scalar's type defines a variable, the newest release has no place for it. */
  private void requireNoValue(String below, @Nullable Object info) {
    Nodes.forEach(
        info,
        part -> {
          if (key(part).equals("relax.PrimStructInfo") && Nodes.field(part, "value") != null) {
            refuse(below, "a scalar with a value in its type (R.Prim(value=...))");
          }
        });
  }

  // ---------------------------------------------------------------- kernels

  private @Nullable Object scalarVariable(ObjectNode node) {
    if (memory.isHandle(node)) {
      refuse("", "the handle " + Nodes.text(node, "name") + " of a buffer in an expression");
    }
    Object annotation = of(Nodes.field(node, "type_annotation"));
    ObjectNode owner = memory.owner(node);
    if (owner != null) {
      return target.make(
          "ir.Call",
          "ty",
          annotation,
          "op",
          target.operator("tirx.buffer_data"),
          "args",
          Collections.singletonList(of(owner)),
          "attrs",
          null,
          "ty_args",
          List.of());
    }
    Object type = annotation == null ? target.scalarType(Coercion.dtypeOf(node)) : annotation;
    return copy(node, "ir.Var", "ty", type);
  }

  private @Nullable Object buffer(ObjectNode node) {
    String name = Nodes.text(node, "name");
    if (!memory.isKnown(node)) {
      refuse(
          "",
          "the buffer "
              + name
              + ", which shares the memory of "
              + Nodes.text(memory.owner(Nodes.field(node, "data")), "name")
              + " without a declaration,");
    }
    if (!Long.valueOf(1).equals(Nodes.field(node, "buffer_type"))) {
      refuse(".buffer_type", "a buffer whose extents of 1 are repeated");
    }
    if (!Nodes.list(node, "axis_separators").isEmpty()) {
      refuse(".axis_separators", "a separator of axes");
    }
    String scope =
        Nodes.text(Nodes.field(Nodes.field(node, "data"), "type_annotation"), "storage_scope");
    ObjectNode type =
        target.make(
            "tirx.BufferType",
            "dtype",
            target.scalarType(Coercion.dtypeOf(node)),
            "storage_scope",
            scope.isEmpty() ? "global" : scope,
            "shape",
            of(Nodes.field(node, "shape")),
            "strides",
            of(Nodes.field(node, "strides")),
            "elem_offset",
            of(Nodes.field(node, "elem_offset")),
            "data_alignment",
            Nodes.field(node, "data_alignment"),
            "offset_factor",
            Nodes.field(node, "offset_factor"),
            "layout",
            of(Nodes.field(node, "layout")),
            "allocated_addr",
            all(Nodes.list(node, "allocated_addr")));
    return target.make("ir.Var", "span", of(Nodes.field(node, "span")), "ty", type, "name", name);
  }

  private @Nullable Object primFunc(ObjectNode node) {
    Map<?, ?> buffers = Nodes.map(node, "buffer_map");
    List<@Nullable Object> params = new ArrayList<>();
    for (Object param : Nodes.list(node, "params")) {
      Object made = of(buffers.containsKey(param) ? buffers.get(param) : param);
      if (Nodes.isA(made, "ir.Call")) {
        refuse(
            ".params[" + params.size() + "]",
            "a pointer of a buffer that is not declared, as a parameter,");
      }
      params.add(made);
    }
    return copy(
        node,
        "tirx.PrimFunc",
        "attrs",
        withBlocks(node),
        "params",
        Collections.unmodifiableList(params));
  }

  /** Attributes of a kernel, which say since 0.25 that it has blocks; not those with handles. */
  private @Nullable Object withBlocks(ObjectNode node) {
    Object attrs = of(Nodes.field(node, "attrs"));
    Map<?, ?> buffers = Nodes.map(node, "buffer_map");
    boolean hasHandles =
        Nodes.list(node, "params").stream()
            .anyMatch(
                param ->
                    Coercion.dtypeOf(param).equals(Names.HANDLE) && !buffers.containsKey(param));
    if (hasHandles || target.source().compareTo(TvmRelease.V0_25) >= 0) {
      return attrs;
    }
    Map<Object, @Nullable Object> all = new LinkedHashMap<>(Nodes.map(attrs, "__dict__"));
    all.putIfAbsent(Names.HAS_BLOCKS, true);
    return target.make("ir.DictAttrs", "__dict__", Collections.unmodifiableMap(all));
  }

  private @Nullable Object evaluate(ObjectNode node) {
    Object span = of(Nodes.field(node, "span"));
    if (isCallOf(node, "tirx.ret")) {
      List<?> args = Nodes.list(Nodes.field(node, "value"), "args");
      if (args.size() == 1) {
        return target.make("tirx.Return", "span", span, "value", of(args.getFirst()));
      }
      problem(".value.args", "expected one value, but got " + args.size());
      return null;
    }
    if (isJump(node)) {
      return target.make(
          isCallOf(node, "tirx.break_loop") ? "tirx.Break" : "tirx.Continue", "span", span);
    }
    return copy(node);
  }

  /** Whether a statement leaves a loop, which is a statement of its own since 0.25. */
  private boolean isJump(ObjectNode node) {
    return target.source().compareTo(TvmRelease.V0_25) < 0
        && (isCallOf(node, "tirx.break_loop") || isCallOf(node, "tirx.continue_loop"));
  }

  // ---------------------------------------------------------------- fields

  @Override
  Map<String, @Nullable Object> implied(ObjectNode node, ObjectType type) {
    if (type.fieldNumber("ty") < 0) {
      return Map.of();
    }
    if (node.type().isA("ir.PrimExpr")) {
      return Map.of("ty", target.scalarType(Coercion.dtypeOf(node)));
    }
    Object info = of(Nodes.field(node, STRUCT_INFO));
    return info == null ? Map.of() : Map.of("ty", info);
  }

  @Override
  boolean isCarriedOtherwise(ObjectNode node, String field) {
    return CARRIED.contains(field)
        || (field.equals("value") && key(node).equals("relax.PrimStructInfo"))
        || (field.equals("vid") && node.type().isA("relax.expr.Var"))
        || (field.equals("buffer_map") && key(node).equals("tirx.PrimFunc"));
  }
}
