package org.relaxvm.objects.compare;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.object.FieldRole;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectType;

/**
 * Which fields of an object are compared, and in which order. Most types have all that are not
 * ignored, in the order of their registration.
 *
 * <p>Source: docs/spec/object-system.md, section 6.
 */
final class Parts {
  private static final List<String> PRIM_FUNC = List.of("attrs", "params", "ret_type", "body");
  private static final List<String> SEQUENCE = List.of("blocks", "ty", "body");
  private static final List<String> BINDING = List.of("value", "var");
  private static final List<String> FUNCTION_BINDING = List.of("var", "value");
  private static final List<String> MODULE = List.of("attrs", "global_infos", "functions");
  private static final List<String> GLOBAL_VARIABLE = List.of("name_hint");
  private static final Set<String> KERNELS = Set.of("tirx.PrimFunc", "tir.PrimFunc");

  private final Map<ObjectType, int[]> ofTypes = new IdentityHashMap<>();

  /** The parts of the objects of one comparison. */
  Parts() {}

  /** The numbers of the fields; not to be changed. */
  int[] of(ObjectType type, Object object) {
    return type.key().equals("relax.expr.VarBinding") && bindsFunction(type, object)
        ? named(type, FUNCTION_BINDING)
        : ofTypes.computeIfAbsent(type, Parts::ofType);
  }

  private static int[] ofType(ObjectType type) {
    String key = type.key();
    if (KERNELS.contains(key)) {
      return named(type, PRIM_FUNC);
    }
    return switch (key) {
      case "relax.expr.SeqExpr" ->
          named(type, type.fieldNumber("ty") < 0 ? List.of("blocks", "body") : SEQUENCE);
      case "relax.expr.VarBinding" -> named(type, BINDING);
      case "ir.IRModule" -> named(type, MODULE);
      case "ir.GlobalVar" -> named(type, GLOBAL_VARIABLE);
      default -> compared(type);
    };
  }

  /** The variable of a function is bound first, so that the function can call itself. */
  private static boolean bindsFunction(ObjectType type, Object object) {
    return type.get(object, type.requireField("value")) instanceof ObjectNode value
        && value.type().key().equals("relax.expr.Function");
  }

  private static int[] named(ObjectType type, List<String> names) {
    return names.stream().mapToInt(type::requireField).toArray();
  }

  private static int[] compared(ObjectType type) {
    List<Integer> numbers = new ArrayList<>();
    List<ObjectField> fields = type.fields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).role() != FieldRole.IGNORED) {
        numbers.add(i);
      }
    }
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }
}
