package org.relaxvm.objects.release;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectNode;

/**
 * Values as a field of another release holds them: numbers are plain values or objects, and a dtype
 * that is not given is null or void.
 */
final class Coercion {
  private static final String INT_OBJECT = "ir.IntImm";

  private static final Set<String> SCALAR_TYPES = Set.of("ir.PrimType", "relax.PrimStructInfo");

  private Coercion() {}

  /** The value; null if the field's kind has none that means the same. */
  static @Nullable Object of(@Nullable Object value, ObjectField field, Target target) {
    return switch (field.kind()) {
      case INT -> plain(value) instanceof Long number ? number : null;
      case BOOL ->
          switch (plain(value)) {
            case Boolean bool -> bool;
            case Long number -> number != 0;
            case null, default -> null;
          };
      case FLOAT -> plain(value) instanceof Double number ? number : null;
      case DTYPE -> dtype(value);
      case REFERENCE -> reference(value, field.typeName(), target);
    };
  }

  private static @Nullable Object dtype(@Nullable Object value) {
    return switch (value) {
      case null -> DType.VOID;
      case DType dtype -> dtype;
      case ObjectNode type when SCALAR_TYPES.contains(type.type().key()) ->
          Nodes.field(type, "dtype");
      default -> null;
    };
  }

  private static @Nullable Object reference(
      @Nullable Object value, String typeName, Target target) {
    if (typeName.contains(INT_OBJECT)) {
      return each(value, element -> object(element, target));
    }
    return switch (typeName) {
      case "Optional<int>", "ffi.Array<int>", "Optional<ffi.Array<int>>" ->
          each(value, Coercion::plain);
      case "Optional<DataType>" -> DType.VOID.equals(value) ? null : value;
      case "Optional<ir.PrimType>" ->
          value instanceof DType dtype
              ? dtype.equals(DType.VOID) ? null : target.scalarType(dtype)
              : value;
      default -> value;
    };
  }

  private static @Nullable Object each(
      @Nullable Object value, UnaryOperator<@Nullable Object> change) {
    if (!(value instanceof List<?> list)) {
      return change.apply(value);
    }
    List<@Nullable Object> changed = new ArrayList<>();
    list.forEach(element -> changed.add(change.apply(element)));
    return Collections.unmodifiableList(changed);
  }

  /** The number, boolean or string of a constant; other values as they are. */
  static @Nullable Object plain(@Nullable Object value) {
    return switch (Nodes.key(value)) {
      case INT_OBJECT ->
          DType.BOOL.equals(dtypeOf(value))
              ? (Object) Long.valueOf(1).equals(Nodes.field(value, "value"))
              : Nodes.field(value, "value");
      case "ir.FloatImm", "tirx.StringImm", "tir.StringImm" -> Nodes.field(value, "value");
      default -> value;
    };
  }

  /** The dtype of a scalar expression of any release; void of others. */
  static DType dtypeOf(@Nullable Object expr) {
    Object inline = Nodes.field(expr, "dtype");
    Object dtype = inline == null ? Nodes.field(Nodes.field(expr, "ty"), "dtype") : inline;
    return dtype instanceof DType known ? known : DType.VOID;
  }

  private static @Nullable Object object(@Nullable Object value, Target target) {
    return switch (value) {
      case Long number ->
          target.integer(number == number.intValue() ? DType.INT32 : DType.INT64, number);
      case Boolean bool -> target.integer(DType.BOOL, bool ? 1 : 0);
      case null, default -> value;
    };
  }
}
