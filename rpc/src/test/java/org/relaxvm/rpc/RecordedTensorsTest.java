package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.rpc.RecordedPlay.CPU;
import static org.relaxvm.rpc.RecordedPlay.GOLDEN;
import static org.relaxvm.rpc.RecordedPlay.as;
import static org.relaxvm.rpc.RecordedPlay.check;
import static org.relaxvm.rpc.RecordedPlay.fails;
import static org.relaxvm.rpc.RecordedPlay.golden;
import static org.relaxvm.rpc.RecordedPlay.range;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.io.Npy;
import org.relaxvm.rpc.RecordedPlay.Client;
import org.relaxvm.rpc.RecordedPlay.Program;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.golden.Transcript;
import org.relaxvm.rpc.golden.Transcript.Message;

/**
 * This client does what the recorded programs did with tensors and virtual machines; what it sends
 * must be what Apache TVM's client sent, and what it understands what that understood.
 */
class RecordedTensorsTest {
  @TestFactory
  Stream<DynamicTest> sendsWhatTheOriginalSends() {
    Map<String, Program> plays = new LinkedHashMap<>();
    plays.put("tensor-life", RecordedTensorsTest::tensorLife);
    plays.put("tensor-scope", RecordedTensorsTest::tensorScope);
    plays.put("tensor-1mib", RecordedTensorsTest::largeTensor);
    plays.put("tensor-result", RecordedTensorsTest::tensorResult);
    plays.put("tensor-echo", RecordedTensorsTest::tensorEcho);
    plays.put("time-evaluator", RecordedTensorsTest::timeEvaluator);
    plays.put("vm-stateful", RecordedTensorsTest::vmStateful);
    plays.put("vm-tuples", RecordedTensorsTest::vmTuples);
    plays.put("vm-saved-function", RecordedTensorsTest::vmSaved);
    plays.put("cpp-vm", RecordedTensorsTest::cppVm);
    return RecordedPlay.tests(plays);
  }

  private static void tensorLife(Client c) {
    RpcSession session = c.connect();
    RemoteTensor e = c.keep(session.empty(DType.FLOAT32, Shape.of(3, 5), CPU));
    float[] quarters = new float[15];
    for (int i = 0; i < quarters.length; i++) {
      quarters[i] = i / 4f;
    }
    e.copyFrom(Tensor.of(quarters, Shape.of(3, 5)));
    check(e, Tensor.of(quarters, Shape.of(3, 5)));
    assertThat(golden(c, session, "sum", e)).isEqualTo(26.25);
    golden(c, session, "describe", e);
    golden(c, session, "fill", e, 2.5);
    assertThat(e.download().toFloatArray()).containsOnly(2.5f);
    RemoteTensor nothing = c.upload(session, Tensor.zeros(DType.INT32, Shape.of(0, 4)));
    assertThat(nothing.download().elementCount()).isZero();
    check(c.upload(session, Tensor.scalar(7L)), Tensor.scalar(7L));
    for (String dtype : List.of("int8", "uint16", "float16", "float64", "bool")) {
      Tensor bits = Tensor.zeros(DType.parse(dtype), Shape.of(6));
      for (int i = 1; i < 6; i += 2) {
        bits.slice(0, i, i + 1).fill(1);
      }
      check(c.upload(session, bits), bits);
    }
    session.synchronize(CPU);
    assertThat(session.hasDevice(CPU)).isTrue();
  }

  private static void tensorScope(Client c) {
    RpcSession session = c.connect();
    c.keep(session.empty(DType.FLOAT32, Shape.of(2, 2), CPU, "global"));
    assertThatThrownBy(() -> session.empty(DType.FLOAT32, Shape.of(2, 2), CPU, "texture"))
        .isInstanceOf(RemoteCallException.class);
    DeviceId cuda = new DeviceId("cuda", 0);
    assertThatThrownBy(() -> session.empty(DType.FLOAT32, Shape.of(2, 2), cuda))
        .isInstanceOf(RemoteCallException.class);
    assertThat(session.hasDevice(cuda)).isFalse();
    assertThat(session.attribute(CPU, 2)).isNull();
    assertThat(session.attribute(CPU, 5)).isNull();
    assertThatThrownBy(() -> session.attribute(cuda, 2)).isInstanceOf(RemoteCallException.class);
  }

  private static void largeTensor(Client c) {
    RpcSession session = c.connect();
    float[] elements = new float[1 << 18];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = i % 97;
    }
    Tensor local = Tensor.of(elements, Shape.of(512, 512));
    RemoteTensor remote = c.upload(session, local);
    assertThat(golden(c, session, "sum", remote)).isEqualTo(12581737.0);
    check(remote, local);
  }

  private static void tensorResult(Client c) {
    RpcSession session = c.connect();
    RemoteTensor a = as(RemoteTensor.class, golden(c, session, "tensor", 4));
    assertThat(a.download().toFloatArray()).containsExactly(0, 0.5f, 1, 1.5f);
    assertThat(golden(c, session, "sum", a)).isEqualTo(3.0);
    assertThat(a.device()).isEqualTo(CPU);
    RemoteTensor b = as(RemoteTensor.class, golden(c, session, "matrix", 2, 3, "int32"));
    assertThat(b.download().toLongArray()).containsExactly(0, 1, 2, 3, 4, 5);
    RemoteTensor nothing = as(RemoteTensor.class, golden(c, session, "tensor", 0));
    assertThat(nothing.download().shape()).isEqualTo(Shape.of(0));
    golden(c, session, "fill", b, 9);
    assertThat(b.download().toLongArray()).containsOnly(9);
    RemoteFunction same =
        as(
            RemoteFunction.class,
            c.keepValue(c.function(session, "rpc.test.remote_return_nd").call("get_arr")));
    RemoteTensor x = as(RemoteTensor.class, c.keepValue(same.call()));
    RemoteTensor y = as(RemoteTensor.class, c.keepValue(same.call()));
    assertThat(x.download().elementCount()).isEqualTo(10);
    assertThat(y.download().elementCount()).isEqualTo(10);
  }

  private static void timeEvaluator(Client c) {
    RpcSession session = c.connect();
    float[] ones = new float[16];
    Arrays.fill(ones, 1);
    RemoteTensor x = c.upload(session, Tensor.of(ones, Shape.of(4, 4)));
    assertThat(session.timer("golden.sum", CPU).runs(2, 3).time(x).results()).hasSize(3);
    assertThat(
            session
                .timer("golden.sum", CPU)
                .runs(1, 2)
                .flush(0, "cache_flush_cpu_non_first_arg")
                .time(x)
                .results())
        .hasSize(2);
    assertThat(
            session
                .timer("golden.count", CPU)
                .runs(1, 1)
                .atLeast(1, 5)
                .cooldown(1, 1)
                .flush(64, "")
                .time(1, 2)
                .results())
        .hasSize(1);
    assertThatThrownBy(() -> session.timer("golden.nobody", CPU).time(1))
        .isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> session.timer("golden.count", CPU).flush(0, "nobody").time(1))
        .isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> session.timer("golden.fail", CPU).time("ValueError", "while timing"))
        .isInstanceOf(RemoteCallException.class);
  }

  private static RemoteVm vm(Client c, RpcSession session, String folder) {
    session.upload("model.so", GOLDEN.resolve(folder).resolve("model.so"));
    return c.keep(c.keep(session.loadModule("model.so")).vm(CPU));
  }

  private static Tensor input(String folder, String name) {
    return Npy.read(GOLDEN.resolve(folder).resolve(name));
  }

  private static void vmStateful(Client c) {
    String folder = "03-mlp-dynamic-batch";
    RpcSession session = c.connect();
    RemoteVm vm = vm(c, session, folder);
    assertThatThrownBy(() -> vm.invoke("main")).isInstanceOf(RemoteCallException.class);
    RemoteTensor x = c.upload(session, input(folder, "run1_arg0.npy"));
    vm.setInput("main", x);
    vm.invoke("main");
    assertThat(vm.outputArity("main")).isEqualTo(-1);
    RemoteTensor y = as(RemoteTensor.class, c.keepValue(vm.output("main")));
    float[] expected = input(folder, "run1_res.npy").toFloatArray();
    assertThat(y.download().toFloatArray()).containsExactly(expected, within());
    assertThat(vm.parameterCount("main")).isEqualTo(1);
    assertThat(vm.parameterName("main", 0)).isEqualTo("x");
    vm.setInput("main", x);
    vm.invoke("main");
    assertThat(vm.outputArity("main")).isEqualTo(-1);
    RemoteTensor again = as(RemoteTensor.class, c.keepValue(vm.output("main")));
    assertThat(again.download().toFloatArray()).containsExactly(expected, within());
    RemoteTensor direct = as(RemoteTensor.class, c.keepValue(vm.call("main", x)));
    assertThat(direct.download().toFloatArray()).containsExactly(expected, within());
    RemoteTensor bad = c.upload(session, input(folder, "run3_arg0.npy"));
    assertThatThrownBy(() -> vm.call("main", bad)).isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> vm.setInput("main", input(folder, "run1_arg0.npy")))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("a local tensor");
    assertThatThrownBy(() -> vm.setInput("nobody", x)).isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> vm.call("nobody", x))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("has no function 'nobody'");
  }

  private static Offset<Float> within() {
    return Offset.offset(1e-5f);
  }

  private static void vmTuples(Client c) {
    String folder = "06-control-flow";
    RpcSession session = c.connect();
    RemoteVm vm = vm(c, session, folder);
    RemoteTensor a = c.upload(session, input(folder, "run2_arg0.npy"));
    RemoteTensor b = c.upload(session, input(folder, "run2_arg1.npy"));
    vm.setInput("pair", a, b);
    vm.invoke("pair");
    assertThat(vm.outputArity("pair")).isEqualTo(2);
    assertThat(vm.outputArity("pair", 0)).isEqualTo(-1);
    Object first = c.keepValue(vm.output("pair", 0));
    assertThat(vm.outputArity("pair", 1)).isEqualTo(2);
    assertThat(vm.outputArity("pair", 1, 0)).isEqualTo(-1);
    Object second = c.keepValue(vm.output("pair", 1, 0));
    assertThat(vm.outputArity("pair", 1, 1)).isEqualTo(-1);
    Object third = c.keepValue(vm.output("pair", 1, 1));
    for (Object leaf : List.of(first, second, third)) {
      assertThat(((RemoteTensor) leaf).download().elementCount()).isPositive();
    }
    Object tuple = c.keepValue(vm.call("pair", a, b));
    as(RemoteTensor.class, golden(c, session, "item", tuple, 0)).download();
    RemoteTensor k = c.upload(session, input(folder, "run3_arg1.npy"));
    RemoteFunction power = c.keep(vm.function("power"));
    RemoteTensor base = c.upload(session, input(folder, "run3_arg0.npy"));
    as(RemoteTensor.class, c.keepValue(power.call(base, k))).download();
    RemoteTensor yes = c.upload(session, Tensor.of(new boolean[] {true}, Shape.scalar()));
    vm.setInput("pick", yes, c.upload(session, input(folder, "run0_arg1.npy")));
    vm.invoke("pick");
    vm.outputArity("pick");
    as(RemoteTensor.class, c.keepValue(vm.output("pick"))).download();
  }

  private static void vmSaved(Client c) {
    String folder = "02-ones-cast-dynamic";
    RpcSession session = c.connect();
    RemoteVm vm = vm(c, session, folder);
    RemoteTensor x = c.upload(session, Tensor.zeros(DType.INT32, Shape.of(2, 3)));
    vm.saveFunction("main", "saved", true, x);
    RemoteTensor saved = as(RemoteTensor.class, c.keepValue(vm.call("saved")));
    assertThat(saved.download().toLongArray()).containsOnly(1).hasSize(6);
    vm.saveFunction("main", "saved2", false, x);
    assertThat(vm.call("saved2")).isNull();
    assertThat(vm.timer("saved", CPU).runs(2, 2).time().results()).hasSize(2);
    vm.saveFunction("main", "saved", true, x);
    assertThat(vm.call("get_function_arity", "main")).isEqualTo(1L);
    try (RemoteFunction main = vm.function("main")) {
      RemoteTensor bad = c.upload(session, Tensor.zeros(DType.INT64, Shape.of(2, 3)));
      fails(main, "expect Tensor with dtype int32", bad);
    }
  }

  private static void cppVm(Client c) {
    RpcSession session = c.connect();
    RemoteVm vm = vm(c, session, "02-ones-cast-dynamic");
    RemoteTensor x = c.upload(session, Tensor.zeros(DType.INT32, Shape.of(2, 2)));
    vm.setInput("main", x);
    vm.invoke("main");
    vm.outputArity("main");
    RemoteTensor result = as(RemoteTensor.class, c.keepValue(vm.output("main")));
    assertThat(result.download().toLongArray()).containsOnly(1).hasSize(4);
  }

  private static void tensorCopy(Client c) {
    RpcSession session = c.connect();
    RemoteTensor a = c.upload(session, range(8, 8));
    RemoteTensor b = c.keep(session.empty(DType.FLOAT32, Shape.of(8), CPU));
    a.copyTo(b);
    check(b, range(8, 8));
    check(c.keep(a.view(DType.FLOAT32, Shape.of(2, 4), 0)), range(8, 2, 4));
    RemoteTensor w = c.keep(a.view(DType.FLOAT32, Shape.of(3), 8));
    assertThat(w.download().toFloatArray()).containsExactly(2, 3, 4);
    assertThat(golden(c, session, "sum", w)).isEqualTo(9.0);
    try (Tensor local = Tensor.zeros(DType.FLOAT32, Shape.of(8))) {
      b.copyTo(local);
      assertThat(local.toFloatArray()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }
    RemoteTensor half = c.keep(session.empty(DType.FLOAT32, Shape.of(4), CPU));
    assertThatThrownBy(() -> b.copyTo(half))
        .isInstanceOf(CallException.class)
        .hasMessage("a copy between tensors of 32 and 16 bytes");
  }

  /** The original loses the offset of a view in a copy, and so gets the elements 0, 1 and 2. */
  private static Transcript withOffset(Transcript recorded) {
    List<Message> messages = new ArrayList<>(recorded.messages());
    int copy = 0;
    while (!messages.get(copy).words().endsWith("shape=[3] offset=0 nbytes=12")) {
      copy++;
    }
    int offsetAt = messages.get(copy).bytes().length - 2 * Long.BYTES;
    messages.set(copy, messages.get(copy).with(bytes -> bytes.putLong(offsetAt, 2L * Float.BYTES)));
    int dataAt = Long.BYTES + Integer.BYTES;
    messages.set(
        copy + 1,
        messages
            .get(copy + 1)
            .with(bytes -> bytes.position(dataAt).putFloat(2).putFloat(3).putFloat(4)));
    return new Transcript(recorded.name(), messages);
  }

  @Test
  void copiesOfViewsKeepTheOffset() throws Exception {
    Transcript.assumePresent();
    RecordedPlay.play(
        "tensor-copy",
        ".client.",
        RecordedTensorsTest::withOffset,
        RecordedTensorsTest::tensorCopy);
  }

  private static void tensorEcho(Client c) {
    RpcSession session = c.connect();
    RemoteTensor b = as(RemoteTensor.class, golden(c, session, "matrix", 2, 3, "int32"));
    RemoteFunction echo = c.function(session, "golden.echo");
    assertThatThrownBy(() -> echo.call(b))
        .isInstanceOf(RpcException.class)
        .hasMessage(
            session.peer()
                + " gave a tensor that it does not keep: a server of Apache TVM cannot return an"
                + " argument of a call, nor an element of a container\n"
                + "  what to do: return a copy");
    assertThat(session.isOpen()).isTrue();
  }
}
