package org.relaxvm.compiler.objects.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.tir.PrimFunc;

/** Kernels of the original with a random value in one field. */
class MalformedKernelsTest {
  private static final List<DType> DTYPES =
      List.of(DType.INT32, DType.INT64, DType.BOOL, DType.FLOAT32, DType.VOID, DType.UINT8);

  @Test
  void aKernelIsReadOrAProblemIsSaid() throws IOException {
    List<ObjectNode> kernels =
        Graphs.expressions().values().stream()
            .filter(node -> node.type().key().equals("tirx.PrimFunc"))
            .toList();
    RandomCases cases = RandomCases.of(Effort.chosen().pick(4_000, 40_000, 400_000));
    System.out.println("malformed kernels: " + cases);
    int[] read = new int[1];
    cases
        .numbers()
        .forEach(
            number -> {
              Random random = new Random((cases.seed() + number) * 0x9E3779B97F4A7C15L);
              ObjectNode kernel = kernels.get(random.nextInt(kernels.size()));
              read[0] += check(changed(kernel, random), cases.repeat(number)) ? 1 : 0;
            });
    // Some fields are not read, and some values are as good as others.
    assertThat(cases.isSingle() || read[0] > 0).isTrue();
  }

  /** Whether a kernel can be held; written again without an exception then. */
  private static boolean check(ObjectNode node, String repeat) {
    Problems problems = new Problems();
    Optional<PrimFunc> kernel;
    try {
      kernel = KernelReader.read("f", node, new ScalarReader(problems), problems, "<root>");
      if (kernel.isPresent()) {
        NodeMaker nodes = new NodeMaker(Graphs.TYPES);
        ObjectNode written = KernelWriter.write(kernel.get(), new ScalarWriter(nodes), nodes);
        assertThat(written.type().key()).isEqualTo("tirx.PrimFunc");
      }
    } catch (RuntimeException e) {
      throw new AssertionError("expected no exception; " + repeat, e);
    }
    assertThat(kernel.isPresent() || !problems.isEmpty()).as(repeat).isTrue();
    return kernel.isPresent();
  }

  private static ObjectNode changed(ObjectNode kernel, Random random) {
    List<ObjectNode> nodes = reachable(kernel);
    ObjectNode target = nodes.get(random.nextInt(nodes.size()));
    ObjectType type = target.type();
    if (type.fields().isEmpty()) {
      return kernel;
    }
    int field = random.nextInt(type.fields().size());
    Object value =
        switch (type.fields().get(field).kind()) {
          case INT -> random.nextBoolean() ? random.nextLong() : (Long) (long) random.nextInt(6);
          case BOOL -> random.nextBoolean();
          case FLOAT -> random.nextGaussian();
          case DTYPE -> DTYPES.get(random.nextInt(DTYPES.size()));
          case REFERENCE -> reference(nodes, random);
        };
    return copy(kernel, target, field, value, new IdentityHashMap<>());
  }

  private static @Nullable Object reference(List<ObjectNode> nodes, Random random) {
    ObjectNode other = nodes.get(random.nextInt(nodes.size()));
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 -> 3L;
      case 2 -> "text";
      case 3 -> List.of();
      case 4 -> List.of(other);
      case 5 -> Map.of("name", other);
      default -> other;
    };
  }

  private static List<ObjectNode> reachable(ObjectNode root) {
    List<ObjectNode> nodes = new ArrayList<>();
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> pending = new ArrayDeque<>(List.of(root));
    while (!pending.isEmpty()) {
      Object next = pending.pop();
      if (!seen.add(next)) {
        continue;
      }
      switch (next) {
        case ObjectNode node -> {
          nodes.add(node);
          for (int i = 0; i < node.type().fields().size(); i++) {
            push(pending, node.type().get(node, i));
          }
        }
        case Collection<?> list -> list.forEach(element -> push(pending, element));
        case Map<?, ?> map -> map.values().forEach(element -> push(pending, element));
        default -> {}
      }
    }
    return nodes;
  }

  private static void push(Deque<Object> pending, @Nullable Object value) {
    if (value != null) {
      pending.push(value);
    }
  }

  private static ObjectNode copy(
      ObjectNode node,
      ObjectNode target,
      int field,
      @Nullable Object value,
      Map<ObjectNode, ObjectNode> copies) {
    ObjectNode known = copies.get(node);
    if (known != null) {
      return known;
    }
    @Nullable Object[] values = new Object[node.type().fields().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          node == target && i == field
              ? value
              : copyValue(node.type().get(node, i), target, field, value, copies);
    }
    ObjectNode copy = (ObjectNode) node.type().create(values);
    copies.put(node, copy);
    return copy;
  }

  private static @Nullable Object copyValue(
      @Nullable Object given,
      ObjectNode target,
      int field,
      @Nullable Object value,
      Map<ObjectNode, ObjectNode> copies) {
    return switch (given) {
      case ObjectNode node -> copy(node, target, field, value, copies);
      case List<?> list -> {
        List<@Nullable Object> elements = new ArrayList<>();
        list.forEach(element -> elements.add(copyValue(element, target, field, value, copies)));
        yield elements;
      }
      case Map<?, ?> map -> {
        Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
        map.forEach(
            (key, entry) -> entries.put(key, copyValue(entry, target, field, value, copies)));
        yield entries;
      }
      case null, default -> given;
    };
  }
}
