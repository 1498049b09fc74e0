package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;

/**
 * Attributes of operators in graphs: the key of their type, and the values that constructors of
 * Apache TVM fill in, which graphs contain.
 *
 * <p>Source: docs/spec/object-system.md, section 5.4.
 */
final class AttributeTable {
  private static final TvmSchema SCHEMA = TvmSchema.of(TvmRelease.V0_26);

  /** What operators of Apache TVM are named with. */
  static final String NAMESPACE = "relax.";

  /** The attributes of operators that Apache TVM does not have. */
  static final String DICTIONARY = "ir.DictAttrs";

  private static final String OUT_LAYOUT = "out_layout";

  /** Operators over windows; the digit is the number of spatial axes. */
  private static final Pattern WINDOWS =
      Pattern.compile(
          "(?:nn|grad)\\.(?:conv|max_pool|avg_pool|adaptive_avg_pool)([123])d(?:_transpose|_backward)?");

  private static final Set<String> PER_AXIS =
      Set.of("strides", "dilation", "pool_size", "output_padding", "output_size");

  private AttributeTable() {}

  /** The key of the attributes of an operator; empty if it has none. */
  static String key(OpDef op) {
    return isOwn(op) && !op.attrSpecs().isEmpty()
        ? DICTIONARY
        : SCHEMA.attributesOf(NAMESPACE + op.name());
  }

  /** Whether Apache TVM does not have an operator. */
  static boolean isOwn(OpDef op) {
    return !SCHEMA.hasOperator(NAMESPACE + op.name());
  }

  /**
   * All attributes of a call: those that are not given have their defaults, numbers have the kind
   * that the operator declares, and a number that counts for several is there several times.
   */
  static Attrs complete(OpDef op, Attrs given) {
    Attrs all = op.withDefaults(given);
    Map<String, Object> values = new LinkedHashMap<>(all.values());
    for (AttrSpec spec : op.attrSpecs()) {
      Object value = values.get(spec.name());
      if (value != null) {
        values.put(spec.name(), converted(all, spec, value));
      }
    }
    return inOrder(op, laidOut(op, windows(op, new Attrs(values))));
  }

  private static Attrs inOrder(OpDef op, Attrs attrs) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (AttrSpec spec : op.attrSpecs()) {
      Object value = attrs.values().get(spec.name());
      if (value != null) {
        values.put(spec.name(), value);
      }
    }
    attrs.values().forEach(values::putIfAbsent);
    return new Attrs(values);
  }

  private static Object converted(Attrs attrs, AttrSpec spec, Object value) {
    String name = spec.name();
    return switch (spec.kind()) {
      case INTEGER, INTEGER_OR_NONE -> attrs.integer(name).map(Object.class::cast).orElse(value);
      case TEXT -> attrs.text(name).map(Object.class::cast).orElse(value);
      case REAL -> attrs.real(name).map(Object.class::cast).orElse(value);
      case BOOL -> attrs.bool(name).map(Object.class::cast).orElse(value);
      case INTEGERS -> attrs.integers(name).map(Object.class::cast).orElse(value);
      case REALS ->
          value instanceof Number number
              ? List.of(number.doubleValue())
              : attrs.reals(name).map(Object.class::cast).orElse(value);
      case DTYPE -> value instanceof String text ? DType.parse(text) : value;
      case ANY -> value;
    };
  }

  private static Attrs windows(OpDef op, Attrs attrs) {
    Matcher matcher = WINDOWS.matcher(op.name());
    if (!matcher.matches()) {
      return attrs;
    }
    int axes = Integer.parseInt(matcher.group(1));
    Attrs all = attrs;
    for (String name : PER_AXIS) {
      List<Long> numbers = attrs.integers(name).orElse(List.of());
      if (numbers.size() == 1) {
        all = all.with(name, Collections.nCopies(axes, numbers.getFirst()));
      }
    }
    List<Long> padding = attrs.integers("padding").orElse(List.of());
    return padding.size() == 1 || padding.size() == axes
        ? all.with("padding", bothEnds(padding, axes))
        : all;
  }

  private static List<Long> bothEnds(List<Long> padding, int axes) {
    List<Long> begins =
        padding.size() == 1 ? Collections.nCopies(axes, padding.getFirst()) : padding;
    List<Long> both = new ArrayList<>(begins);
    both.addAll(begins);
    return both;
  }

  /** Results have the layout of the data, where no other is given. */
  private static Attrs laidOut(OpDef op, Attrs attrs) {
    boolean isAbsent =
        op.attrSpecs().stream().anyMatch(spec -> spec.name().equals(OUT_LAYOUT))
            && !attrs.has(OUT_LAYOUT);
    return isAbsent
        ? attrs
            .text("data_layout")
            .or(() -> attrs.text("layout"))
            .map(layout -> attrs.with(OUT_LAYOUT, layout))
            .orElse(attrs)
        : attrs;
  }
}
