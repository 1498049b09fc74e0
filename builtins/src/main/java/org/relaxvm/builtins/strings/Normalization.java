package org.relaxvm.builtins.strings;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.relaxvm.api.Shape;
import org.relaxvm.api.StringTensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Strings without those of a list, in one case. */
public final class Normalization {
  private Normalization() {}

  /**
   * Leaves out strings, and changes the case of the others.
   *
   * @param x of shape [n] or [1, n]
   * @param change {@code LOWER}, {@code UPPER} or {@code NONE}
   * @param isCaseSensitive whether strings are left out in the given case only
   * @param locale such as {@code en_US}, whose rules the cases follow; empty for those of no
   *     language
   * @return of shape [m] or [1, m]; one empty string where none is left
   */
  public static StringTensor of(
      StringTensor x, String change, boolean isCaseSensitive, String locale, List<String> without) {
    int rank = x.shape().rank();
    if (rank < 1 || rank > 2 || (rank == 2 && x.shape().dim(0) != 1)) {
      throw new CallException(
          ErrorKind.VALUE,
          "strings are normalized in the shape [n] or [1, n], but have the shape " + x.shape());
    }
    Locale language = locale.isEmpty() ? Locale.ROOT : Locale.forLanguageTag(tag(locale));
    UnaryOperator<String> key = isCaseSensitive ? text -> text : text -> text.toLowerCase(language);
    Set<String> dropped = new HashSet<>();
    without.forEach(word -> dropped.add(key.apply(word)));
    List<String> kept =
        x.elements().stream()
            .filter(text -> !dropped.contains(key.apply(text)))
            .map(text -> changed(text, change, language))
            .toList();
    List<String> all = kept.isEmpty() ? List.of("") : kept;
    return new StringTensor(rank == 1 ? Shape.of(all.size()) : Shape.of(1, all.size()), all);
  }

  /** The language tag of a locale of POSIX: {@code de_DE.UTF-8} is {@code de-DE}. */
  private static String tag(String locale) {
    int end = locale.indexOf('.');
    return (end < 0 ? locale : locale.substring(0, end)).replace('_', '-');
  }

  private static String changed(String text, String change, Locale locale) {
    return switch (change) {
      case "LOWER" -> text.toLowerCase(locale);
      case "UPPER" -> text.toUpperCase(locale);
      case "NONE" -> text;
      default ->
          throw new CallException(
              ErrorKind.VALUE,
              "the change of case is '" + change + "'; expected LOWER, UPPER or NONE");
    };
  }
}
