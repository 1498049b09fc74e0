package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.TensorExpr;

/**
 * The letters of an Einstein sum. The axes of an ellipsis have letters of their own, counted from
 * the last one, {@link #ELLIPSIS} and those after it.
 *
 * @param inputs of each operand
 * @param summed those that the result lacks
 * @param known the extent of each
 */
record EinsumLetters(
    List<String> inputs, String output, String summed, Map<Character, PrimExpr> known) {
  private static final String OP = "einsum";

  /** The first of the characters that no text has. */
  private static final char ELLIPSIS = '\uE000';

  static EinsumLetters of(String subscripts, List<TensorExpr> operands) {
    String text = subscripts.replace(" ", "");
    int arrow = text.indexOf("->");
    String left = arrow < 0 ? text : text.substring(0, arrow);
    List<String> terms = List.of(left.split(",", -1));
    String right = arrow < 0 ? "..." + onlyOnce(left) : text.substring(arrow + 2);
    Check.that(
        Stream.concat(terms.stream(), Stream.of(right)).allMatch(EinsumLetters::isTerm),
        OP,
        "expected letters, commas and one arrow, with ... at most once for each tensor, but got "
            + subscripts);
    Check.that(
        terms.size() == operands.size() && !operands.isEmpty(),
        OP,
        subscripts
            + " is of "
            + Count.of(terms.size(), "operand", "operands")
            + ", but got "
            + operands.size());
    int most = 0;
    List<String> inputs = new ArrayList<>();
    for (int n = 0; n < terms.size(); n++) {
      TensorExpr operand = operands.get(n);
      int more = terms.get(n).contains("...") ? ellipsis(operand, terms.get(n)) : 0;
      most = Math.max(most, more);
      inputs.add(expanded(terms.get(n), more));
    }
    Check.that(
        most == 0 || right.contains("..."),
        OP,
        "the result of " + subscripts + " lacks the ... that operands have");
    String output = expanded(right, most);
    Map<Character, PrimExpr> known = new LinkedHashMap<>();
    for (int n = 0; n < inputs.size(); n++) {
      TensorExpr operand = operands.get(n);
      Check.numbers(OP, operand);
      Check.sameDType(OP, operands.getFirst(), operand);
      Check.rank(OP, operand, inputs.get(n).length());
      for (int axis = 0; axis < operand.shape().size(); axis++) {
        learn(known, inputs.get(n).charAt(axis), operand.shape().get(axis));
      }
    }
    for (char letter : output.toCharArray()) {
      Check.that(
          known.containsKey(letter) && output.indexOf(letter) == output.lastIndexOf(letter),
          OP,
          "the letter " + letter + " of the result must be in an operand, and once in the result");
    }
    String summed =
        known.keySet().stream()
            .filter(letter -> output.indexOf(letter) < 0)
            .map(String::valueOf)
            .collect(Collectors.joining());
    return new EinsumLetters(inputs, output, summed, known);
  }

  private static boolean isTerm(String text) {
    return text.matches("[A-Za-z]*([.]{3}[A-Za-z]*)?");
  }

  /** How many axes an ellipsis stands for. */
  private static int ellipsis(TensorExpr operand, String term) {
    int letters = term.length() - "...".length();
    Check.rankAtLeast(OP, operand, letters);
    return operand.shape().size() - letters;
  }

  private static String expanded(String term, int axes) {
    String letters =
        IntStream.range(0, axes)
            .mapToObj(axis -> String.valueOf((char) (ELLIPSIS + axes - 1 - axis)))
            .collect(Collectors.joining());
    return term.replace("...", letters);
  }

  private static void learn(Map<Character, PrimExpr> known, char letter, PrimExpr extent) {
    PrimExpr other = known.get(letter);
    if (other == null || Dims.isOne(other)) {
      known.put(letter, extent);
    } else if (!Dims.isOne(extent)) {
      String axis = letter < ELLIPSIS ? String.valueOf(letter) : "an axis of ...";
      Dims.requireSame(OP, other, extent, "the extents of " + axis);
    }
  }

  private static String onlyOnce(String letters) {
    return letters
        .chars()
        .filter(c -> Character.isLetter(c) && letters.indexOf(c) == letters.lastIndexOf(c))
        .sorted()
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  List<PrimExpr> extents(String letters) {
    return letters
        .chars()
        .<PrimExpr>mapToObj(letter -> Objects.requireNonNull(known.get((char) letter)))
        .toList();
  }

  /** The index into an operand; an axis of extent 1 is broadcast. */
  List<PrimExpr> index(
      int operand, List<PrimExpr> shape, List<PrimExpr> outputIndex, List<PrimExpr> point) {
    List<PrimExpr> index = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      char letter = inputs.get(operand).charAt(axis);
      int at = output.indexOf(letter);
      PrimExpr value = at >= 0 ? outputIndex.get(at) : point.get(summed.indexOf(letter));
      index.add(Dims.isOne(shape.get(axis)) ? IntImm.of(0) : value);
    }
    return index;
  }
}
