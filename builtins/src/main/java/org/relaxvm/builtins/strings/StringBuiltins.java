package org.relaxvm.builtins.strings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.StringTensor;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The {@code relaxvm.string_*} functions, of strings as {@link StringTensor} describes them. Those
 * that give tensors of numbers are {@code relaxvm.host.*}: their results are on the host.
 */
public final class StringBuiltins {
  private final Map<String, Pattern> patterns = new ConcurrentHashMap<>();
  private final BiFunction<CallArgs, Tensor, Tensor> toHost;

  /**
   * Functions that have no state but compiled patterns.
   *
   * @param toHost the tensor, or a copy on the host after the work of a call so far
   */
  public StringBuiltins(BiFunction<CallArgs, Tensor, Tensor> toHost) {
    this.toHost = toHost;
  }

  /** The functions by their names. */
  public Map<String, PackedFunc> functions() {
    return Map.ofEntries(
        Map.entry("relaxvm.string_shape", (PackedFunc) this::shape),
        Map.entry("relaxvm.string_select", (PackedFunc) this::select),
        Map.entry("relaxvm.string_concat", (PackedFunc) this::concat),
        Map.entry("relaxvm.host.string_split", (PackedFunc) this::split),
        Map.entry("relaxvm.string_normalize", (PackedFunc) this::normalize),
        Map.entry("relaxvm.string_format", (PackedFunc) this::format),
        Map.entry("relaxvm.host.string_parse", (PackedFunc) this::parse),
        Map.entry("relaxvm.host.string_equal", (PackedFunc) this::equal),
        Map.entry("relaxvm.host.string_match", (PackedFunc) this::match),
        Map.entry("relaxvm.host.string_lookup", (PackedFunc) this::lookup),
        Map.entry("relaxvm.host.lookup", (PackedFunc) this::lookupNumbers),
        Map.entry("relaxvm.host.ngram_counts", (PackedFunc) this::ngrams));
  }

  private StringTensor strings(CallArgs args, int index) {
    return StringTensor.of(args.at(index));
  }

  private static void set(CallResult result, Shape shape, String[] elements) {
    result.set(new StringTensor(shape, Arrays.asList(elements)).toTuple());
  }

  private void shape(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.string_shape(x)", 1);
    boolean isStrings = args.ref(0) instanceof Tuple tuple && tuple.size() > 0;
    Object shape = isStrings ? args.tupleAt(0).get(0) : null;
    result.set(shape instanceof Shape ? shape : strings(args, 0).shape());
  }

  /** Elements of one or several operands, by their positions in all of them. */
  private void select(CallArgs args, CallResult result) {
    Tensor positions = toHost.apply(args, args.tensorAt(0));
    List<String> all = new ArrayList<>();
    for (int i = 1; i < args.count(); i++) {
      all.addAll(strings(args, i).elements());
    }
    long[] wanted = positions.toLongArray();
    String[] elements = new String[wanted.length];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = wanted[i] < 0 ? "" : all.get((int) wanted[i]);
    }
    set(result, positions.shape(), elements);
  }

  private void concat(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.string_concat(a, b)", 2);
    StringTensor a = strings(args, 0);
    StringTensor b = strings(args, 1);
    Broadcast broadcast = Broadcast.of(a.shape(), b.shape());
    String[] elements = new String[Math.toIntExact(broadcast.shape().elementCount())];
    for (int i = 0; i < elements.length; i++) {
      elements[i] =
          a.elements().get(broadcast.first(i)).concat(b.elements().get(broadcast.second(i)));
    }
    set(result, broadcast.shape(), elements);
  }

  /** The parts of each string along a new last axis, and how many there are. */
  private void split(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.string_split(x, delimiter, maxsplit)", 3);
    StringTensor x = strings(args, 0);
    List<List<String>> parts = new ArrayList<>();
    for (String text : x.elements()) {
      parts.add(Splitting.parts(text, args.stringAt(1), args.longAt(2)));
    }
    int most = parts.stream().mapToInt(List::size).max().orElse(0);
    String[] elements = new String[Math.multiplyExact(parts.size(), most)];
    Arrays.fill(elements, "");
    long[] counts = new long[parts.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = parts.get(i).size();
      for (int j = 0; j < counts[i]; j++) {
        elements[i * most + j] = parts.get(i).get(j);
      }
    }
    long[] dims = Arrays.copyOf(x.shape().toArray(), x.shape().rank() + 1);
    dims[dims.length - 1] = most;
    Tuple strings = new StringTensor(Shape.of(dims), Arrays.asList(elements)).toTuple();
    result.set(Tuple.ofOwned(new Object[] {strings, Tensor.of(counts, x.shape())}));
  }

  private void normalize(CallArgs args, CallResult result) {
    List<String> without = new ArrayList<>();
    for (int i = 4; i < args.count(); i++) {
      without.add(args.stringAt(i));
    }
    result.set(
        Normalization.of(
                strings(args, 0), args.stringAt(1), args.booleanAt(2), args.stringAt(3), without)
            .toTuple());
  }

  private void format(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.string_format(x)", 1);
    Tensor x = toHost.apply(args, args.tensorAt(0));
    set(result, x.shape(), Numbers.texts(x));
  }

  private void parse(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.string_parse(x, dtype)", 2);
    StringTensor x = strings(args, 0);
    DType dtype = args.dtypeAt(1);
    int count = x.elements().size();
    if (dtype.equals(DType.BOOL)) {
      boolean[] values = new boolean[count];
      for (int i = 0; i < count; i++) {
        values[i] = Numbers.bool(x.elements().get(i));
      }
      result.set(Tensor.of(values, x.shape()));
    } else if (dtype.equals(DType.FLOAT64)) {
      result.set(Tensor.of(x.elements().stream().mapToDouble(Numbers::real).toArray(), x.shape()));
    } else if (dtype.equals(DType.INT64)) {
      result.set(Tensor.of(x.elements().stream().mapToLong(Numbers::integer).toArray(), x.shape()));
    } else {
      throw new CallException(
          ErrorKind.TYPE,
          "strings are parsed as bool, float64 or int64, but " + dtype + " is asked for");
    }
  }

  private void equal(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.string_equal(a, b)", 2);
    StringTensor a = strings(args, 0);
    StringTensor b = strings(args, 1);
    Broadcast broadcast = Broadcast.of(a.shape(), b.shape());
    boolean[] equal = new boolean[Math.toIntExact(broadcast.shape().elementCount())];
    for (int i = 0; i < equal.length; i++) {
      equal[i] = a.elements().get(broadcast.first(i)).equals(b.elements().get(broadcast.second(i)));
    }
    result.set(Tensor.of(equal, broadcast.shape()));
  }

  private void match(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.string_match(x, pattern)", 2);
    StringTensor x = strings(args, 0);
    Pattern pattern = patterns.computeIfAbsent(args.stringAt(1), Pattern::compile);
    boolean[] matches = new boolean[x.elements().size()];
    for (int i = 0; i < matches.length; i++) {
      matches[i] = BoundedText.matches(pattern, x.elements().get(i));
    }
    result.set(Tensor.of(matches, x.shape()));
  }

  /** The position of each number among those that follow, or -1; NaN is found. */
  private void lookupNumbers(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.host.lookup(x, keys, isRequired)", 3);
    Tensor x = toHost.apply(args, args.tensorAt(0));
    Tensor keys = toHost.apply(args, args.tensorAt(1));
    long[] found = Lookup.positions(bits(x), bits(keys));
    if (args.booleanAt(2)) {
      Lookup.requireAll(found, i -> number(x, i));
    }
    result.set(Tensor.of(found, x.shape()));
  }

  private static Object number(Tensor x, int index) {
    return x.dtype().isFloat()
        ? (Object) x.toDoubleArray()[index]
        : (Object) x.toLongArray()[index];
  }

  /** Numbers that are equal have equal bits. */
  private static long[] bits(Tensor x) {
    return x.dtype().isFloat()
        ? Arrays.stream(x.toDoubleArray())
            .mapToLong(v -> Double.doubleToLongBits(v + 0.0))
            .toArray()
        : x.toLongArray();
  }

  private void ngrams(CallArgs args, CallResult result) {
    args.requireCount(
        "relaxvm.host.ngram_counts(x, pool, starts, outputs, shortest, longest, skips, size)", 8);
    Tensor x = toHost.apply(args, args.tensorAt(0));
    NgramCounts counts =
        new NgramCounts(
            args.tensorAt(1).toLongArray(),
            args.tensorAt(2).toLongArray(),
            args.tensorAt(3).toLongArray(),
            args.intAt(4),
            args.intAt(5),
            args.intAt(6),
            args.intAt(7));
    result.set(counts.of(x));
  }

  /** The position of each string among the keys that follow, or -1. */
  private void lookup(CallArgs args, CallResult result) {
    StringTensor x = strings(args, 0);
    List<String> keys = strings(args, 1).elements();
    args.requireCount("relaxvm.host.string_lookup(x, keys, isRequired)", 3);
    long[] found = Lookup.positions(x.elements(), keys);
    if (args.booleanAt(2)) {
      Lookup.requireAll(found, i -> x.elements().get(i));
    }
    result.set(Tensor.of(found, x.shape()));
  }
}
