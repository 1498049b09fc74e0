package org.relaxvm.objects.release;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.objects.schema.TvmRelease;

/**
 * Objects of the newest release as those of one up to 0.25. Kernels are in {@link KernelDowngrade}.
 */
final class Downgrade extends Rewriting {
  private static final String PRIM_VALUE = "relax.expr.PrimValue";

  /** Fields that hold values of the program, where a scalar is an object of its own. */
  private static final Map<String, Set<String>> VALUES =
      Map.of(
          "relax.expr.Call", Set.of("args"),
          "relax.expr.Tuple", Set.of("fields"),
          "relax.expr.TupleGetItem", Set.of("tuple_value"),
          "relax.expr.If", Set.of("cond"),
          "relax.expr.SeqExpr", Set.of("body"),
          "relax.expr.VarBinding", Set.of("value"),
          "relax.expr.MatchCast", Set.of("value"),
          "relax.attrs.LayoutTransformAttrs", Set.of("pad_value"));

  /** Types whose fields hold scalars, besides expressions and statements of kernels. */
  private static final Set<String> OF_SCALARS =
      Set.of("relax.expr.ShapeExpr", "relax.ShapeStructInfo", "ir.Range");

  private final Definitions definitions;
  private final KernelDowngrade kernels;
  private final Map<Object, ObjectNode> primValues = new IdentityHashMap<>();
  private final Map<ObjectType, Boolean> ofScalars = new IdentityHashMap<>();

  Downgrade(Target target, Definitions definitions) {
    super(target);
    this.definitions = definitions;
    this.kernels = new KernelDowngrade(this, definitions);
  }

  // ---------------------------------------------------------------- parts

  @Override
  List<Part> parts(ObjectNode node) {
    return switch (node.type().key()) {
      case "ir.Var" -> definitions.isValue(node) ? references(node) : kernels.variableParts(node);
      case "ir.PrimType", "ir.PointerType", "ir.Op", "ir.EnvFunc" -> List.of();
      case "tirx.PrimFunc" -> fields(node, "span", "ty", "attrs", "params", "body");
      case "tirx.Return" -> fields(node, "span", "value");
      case "ir.Call" -> kernels.isPointer(node) ? fields(node, "args") : withoutKernelType(node);
      default -> withoutKernelType(node);
    };
  }

  /** Types of kernels are no types of values. */
  private static List<Part> withoutKernelType(ObjectNode node) {
    List<Part> parts = references(node);
    parts.removeIf(
        part -> part.step().equals("ty") && Nodes.key(part.value()).equals("ir.PointerType"));
    return parts;
  }

  // ---------------------------------------------------------------- objects

  @Override
  @Nullable Object make(ObjectNode node) {
    return switch (node.type().key()) {
      case "ir.Op" -> operator(node);
      case "ir.EnvFunc" -> target.make("ir.EnvFunc", "name", Names.older(Nodes.text(node, "name")));
      case "ir.DictAttrs" -> attributes(node);
      case "ir.ArgumentInfo" ->
          copy(
              node,
              target.types().find("ir.ArgumentInfo").isEmpty()
                  ? "ir.AttrFieldInfo"
                  : "ir.ArgumentInfo");
      case "ir.Type" -> null;
      case "ir.PrimType" -> scalarInfo(node, null);
      case "ir.TupleType" -> copy(node, "relax.TupleStructInfo");
      case "relax.AnyType" -> copy(node, "relax.ObjectStructInfo");
      case "relax.PackedFuncType" -> packedFunction(node);
      case "relax.ShapeType" -> copy(node, "relax.ShapeStructInfo");
      case "relax.TensorType" -> copy(node, "relax.TensorStructInfo");
      case "relax.FuncType" -> copy(node, "relax.FuncStructInfo");
      case "relax.DTensorType" ->
          copy(node, "relax.DTensorStructInfo", "tensor_sinfo", of(Nodes.field(node, "tensor_ty")));
      case "ir.Var" ->
          definitions.isValue(node) ? variable(node, "relax.expr.Var") : kernels.variable(node);
      case "relax.expr.DataflowVar" -> variable(node, "relax.expr.DataflowVar");
      case "relax.expr.Function" ->
          copy(node, "relax.expr.Function", "ret_struct_info", of(Nodes.field(node, "ret_ty")));
      case "relax.expr.MatchCast" ->
          copy(node, "relax.expr.MatchCast", "struct_info", of(Nodes.field(node, "ty")));
      case "ir.Call" -> kernels.isCall(node) ? kernels.call(node) : call(node);
      default -> kernels.make(node);
    };
  }

  private ObjectNode attributes(ObjectNode node) {
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    Nodes.map(node, "__dict__")
        .forEach(
            (name, value) ->
                entries.put(name instanceof String text ? target.renamed(text) : name, of(value)));
    return target.make("ir.DictAttrs", "__dict__", Collections.unmodifiableMap(entries));
  }

  private @Nullable Object packedFunction(ObjectNode node) {
    return copy(
        node,
        "relax.FuncStructInfo",
        "ret",
        target.make("relax.ObjectStructInfo"),
        "purity",
        false);
  }

  /** The type of a scalar. */
  ObjectNode scalarInfo(@Nullable Object type, @Nullable Object value) {
    DType dtype = Nodes.field(type, "dtype") instanceof DType known ? known : DType.VOID;
    return target.make("relax.PrimStructInfo", "value", value, "dtype", dtype);
  }

  private @Nullable Object variable(ObjectNode node, String key) {
    return copy(node, key, "vid", target.make("relax.Id", "name_hint", Nodes.text(node, "name")));
  }

  private @Nullable Object call(ObjectNode node) {
    return copy(node, "relax.expr.Call", "sinfo_args", all(Nodes.list(node, "ty_args")));
  }

  // ---------------------------------------------------------------- fields

  @Override
  Map<String, @Nullable Object> implied(ObjectNode node, ObjectType type) {
    Map<String, @Nullable Object> implied = new HashMap<>();
    Object ty = Nodes.field(node, "ty");
    if (type.isA("ir.PrimExpr")) {
      implied.put("dtype", kernels.dtype(node));
    } else if (type.isA("ir.RelaxExpr")) {
      implied.put("struct_info_", of(Nodes.key(ty).equals("ir.PointerType") ? null : ty));
    }
    return implied;
  }

  @Override
  @Nullable Object placed(@Nullable Object made, ObjectType type, ObjectField field) {
    if (VALUES.getOrDefault(type.key(), Set.of()).contains(field.name())) {
      return each(made);
    }
    boolean isOfScalars = ofScalars.computeIfAbsent(type, this::isOfScalars);
    if (isOfScalars) {
      requireScalars(made, field);
    }
    return made;
  }

  private boolean isOfScalars(ObjectType type) {
    return type.isA("ir.PrimExpr")
        || type.isA(target.kernel("Stmt"))
        || OF_SCALARS.contains(type.key());
  }

  private @Nullable Object each(@Nullable Object made) {
    if (!(made instanceof List<?> list)) {
      return value(made);
    }
    if (list.stream().noneMatch(element -> Nodes.isA(element, "ir.PrimExpr"))) {
      return made;
    }
    List<@Nullable Object> values = new ArrayList<>();
    list.forEach(element -> values.add(value(element)));
    return Collections.unmodifiableList(values);
  }

  /** A scalar as a value of the program. */
  private @Nullable Object value(@Nullable Object made) {
    return made instanceof ObjectNode scalar && scalar.type().isA("ir.PrimExpr")
        ? primValues.computeIfAbsent(
            scalar, s -> target.make(PRIM_VALUE, "struct_info_", scalarInfo(s, s), "value", s))
        : made;
  }

  private void requireScalars(@Nullable Object made, ObjectField field) {
    List<?> all = made instanceof List<?> list ? list : Collections.singletonList(made);
    for (Object each : all) {
      if (Nodes.isA(each, "relax.expr.Var")) {
        refuse(
            "." + field.name(),
            "the variable "
                + Nodes.text(Nodes.field(each, "vid"), "name_hint")
                + ", which is a value of the program and in a scalar expression,");
      }
    }
  }

  @Override
  boolean isCarriedOtherwise(ObjectNode node, String field) {
    return switch (field) {
      case "ty", "ret_ty", "ty_args", "tensor_ty", "name" -> true;
      case "layout" -> target.release().compareTo(TvmRelease.V0_25) < 0;
      default -> false;
    };
  }
}
