package org.relaxvm.compiler.objects.kernel;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.objects.node.Problems;

/** Kernels that the kernel IR can hold but that break its rules; the path is of the statement. */
class InvalidKernelsTest {
  private final NodeMaker nodes = new NodeMaker(Graphs.TYPES);
  private final KernelNodes k = new KernelNodes(nodes);
  private final ObjectNode a = k.buffer("A", DType.INT64, k.int64(4));
  private final ObjectNode i = k.var("i", DType.INT64);
  private final ObjectNode v = k.var("v", DType.INT64);
  private final ObjectNode plain = k.store(a, k.int64(7), k.int64(1));

  private void assertInvalid(ObjectNode kernel, String path, String problem) {
    assertProblem(kernel, path, "the kernel f is not valid: " + problem);
  }

  private void assertProblem(ObjectNode kernel, String path, String problem) {
    Problems problems = new Problems();
    assertThat(KernelReader.read("f", kernel, new ScalarReader(problems), problems, "<root>"))
        .isEmpty();
    assertThatThrownBy(() -> problems.throwIfAny("cannot read:"))
        .hasMessage("cannot read:\n  <root>" + path + ": " + problem);
  }

  @Test
  void indicesAreInBounds() {
    assertInvalid(
        k.kernel(k.seq(plain, k.loop(i, k.int64(4), k.store(a, i, k.int64(4)))), a),
        ".body.seq[1].body",
        "it writes the buffer A out of bounds: the index of axis 0 lies in [4, 4], the extent in"
            + " [4, 4]");
    assertInvalid(
        k.kernel(k.store(a, k.load(a, DType.INT64, k.int64(-1)), k.int64(0)), a),
        ".body",
        "it reads the buffer A out of bounds: the index of axis 0 lies in [-1, -1], the extent in"
            + " [4, 4]");
  }

  @Test
  void variablesAreDefinedOnceAndBeforeTheirUse() {
    assertInvalid(
        k.kernel(k.seq(k.loop(i, k.int64(4), plain), k.store(a, i, k.int64(0))), a),
        ".body.seq[1]",
        "the variable i is used where it is not defined\n  what is defined there: nothing");
    assertInvalid(
        k.kernel(k.loop(i, k.int64(4), k.loop(i, k.int64(4), plain)), a),
        ".body.body",
        "the counter i is a variable that is defined already");
    assertInvalid(
        k.kernel(
            k.seq(
                plain,
                k.statement("Bind", "var", v, "value", k.int64(1)),
                plain,
                k.statement("Bind", "var", v, "value", k.int64(2)),
                plain),
            a),
        ".body.seq[3]",
        "the variable v is a variable that is defined already");
    assertInvalid(
        k.kernel(plain, a, k.buffer("B", DType.INT64, k.binary("Add", DType.INT64, i, v))),
        "",
        "the variable i is used where it is not defined\n  what is defined there: nothing");
  }

  @Test
  void blocksUseTheirAxes() {
    ObjectNode block = k.block("b", List.of(), List.of(), Map.of(), k.seq(plain, k.store(a, i, i)));
    assertInvalid(
        k.kernel(k.loop(i, k.int64(4), block), a),
        ".body.body.block.body.seq[1]",
        "a block uses the counter i of a loop around it\n"
            + "  what to do: give the block an axis with that value");
    ObjectNode empty = k.block("b", List.of(), List.of(), Map.of(), plain);
    assertInvalid(k.kernel(k.seq(empty, empty), a), ".body.seq[1]", "there are two blocks b");
  }

  @Test
  void regionsAreThoseOfWhatBlocksDo() {
    ObjectNode zero = k.int64(0);
    ObjectNode one = nodes.make("ir.Range", "min", zero, "extent", k.int64(1), "span", null);
    assertInvalid(
        k.kernel(writing(List.of(one)), a),
        ".body.block.body",
        "the block b does not say that it may write A where it does: all of the regions that it"
            + " names are elsewhere");
    assertProblem(
        k.kernel(writing(List.of(one, one)), a),
        ".body.block.writes[0]",
        "the buffer A has 1 axis, but a region of it has 2 ranges");
    ObjectNode real =
        nodes.make("ir.FloatImm", "ty", nodes.scalarType(DType.FLOAT32), "value", 0.5);
    ObjectNode uneven = nodes.make("ir.Range", "min", real, "extent", k.int64(1), "span", null);
    assertProblem(
        k.kernel(writing(List.of(uneven)), a),
        ".body.block.writes[0]",
        "a region of the buffer A must be int64, but is float32 and int64");
  }

  private ObjectNode writing(List<ObjectNode> ranges) {
    ObjectNode block = k.block("b", List.of(), List.of(), Map.of(), plain);
    ObjectNode inner = value(block, "block");
    ObjectNode region = nodes.make("tirx.BufferRegion", "buffer", a, "region", ranges);
    return with(block, "block", with(inner, "writes", List.of(region)));
  }

  private static ObjectNode value(ObjectNode node, String field) {
    return (ObjectNode) requireNonNull(node.type().get(node, node.type().fieldNumber(field)));
  }

  private static ObjectNode with(ObjectNode node, String field, Object changed) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int at = 0; at < node.type().fields().size(); at++) {
      boolean isChanged = at == node.type().fieldNumber(field);
      values.add(isChanged ? changed : node.type().get(node, at));
    }
    return (ObjectNode) node.type().create(values.toArray());
  }

  @Test
  void countersAreIntegers() {
    ObjectNode real = k.var("x", DType.FLOAT32);
    ObjectNode bound =
        nodes.make("ir.FloatImm", "ty", nodes.scalarType(DType.FLOAT32), "value", 2.0);
    ObjectNode loop = with(k.loop(real, bound, plain), "min", bound);
    assertProblem(
        k.kernel(loop, a),
        ".body",
        "the loop over x must count in integers, but counts in float32");
    ObjectNode block =
        k.block("b", List.of(k.axis(real, bound, 0)), List.of(bound), Map.of(), plain);
    assertProblem(
        k.kernel(block, a),
        ".body.block.iter_vars[0]",
        "the axis x must count in integers, but is float32");
    ObjectNode narrow =
        k.block("b", List.of(k.axis(v, bound, 0)), List.of(k.int64(0)), Map.of(), plain);
    assertProblem(
        k.kernel(narrow, a),
        ".body.block.iter_vars[0]",
        "the axis v is int64, but its domain is int64 and float32");
    ObjectNode unknown =
        k.block(
            "b", List.of(k.axis(v, k.int64(1), 1L << 32)), List.of(k.int64(0)), Map.of(), plain);
    assertProblem(
        k.kernel(unknown, a),
        ".body.block.iter_vars[0].iter_type",
        "an axis of kind 4294967296 cannot be held");
  }

  @Test
  void concurrentIterationsWriteOtherElements() {
    ObjectNode loop = with(k.loop(i, k.int64(4), plain), "kind", 1L);
    assertInvalid(
        k.kernel(loop, a),
        ".body",
        "all iterations of the loop over i, which run at the same time, write the same element of"
            + " A");
  }

  @Test
  void onlyTheEndReturns() {
    assertInvalid(
        k.kernel(k.loop(i, k.int64(4), k.statement("Return", "value", i)), a),
        ".body.body",
        "it returns within a loop");
    assertInvalid(
        k.kernel(k.seq(plain, k.statement("Break")), a),
        ".body",
        "it has the statement break, as only host functions do, whose parameters are handles");
  }
}
