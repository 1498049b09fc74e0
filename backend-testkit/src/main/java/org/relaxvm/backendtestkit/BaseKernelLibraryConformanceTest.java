package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.kernels.ArgumentRole;
import org.relaxvm.api.kernels.DTypeSet;
import org.relaxvm.api.kernels.KernelArgument;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.definition.Definition;
import org.relaxvm.backendtestkit.definition.Definitions;
import org.relaxvm.backendtestkit.definition.KernelRequest;
import org.relaxvm.backendtestkit.definition.MemoryOperand;
import org.relaxvm.backendtestkit.library.ExtremeCases;
import org.relaxvm.backendtestkit.library.KernelCases;
import org.relaxvm.backendtestkit.library.RandomTensors;
import org.slf4j.LoggerFactory;

/** The kernels that a device brings, against the definitions of the table. */
public abstract class BaseKernelLibraryConformanceTest extends BaseConformanceTest {
  private static final int ROUNDS = 12;

  private final Map<String, Definition> definitions = Definitions.standard();

  /**
   * Whether a call with random arguments is made: all are, unless the time that they take is worth
   * no more.
   *
   * @param round the number of the call among those of the kernel and dtype, from 0
   */
  protected boolean includes(KernelSignature kernel, DType dtype, int round) {
    return true;
  }

  @Test
  void theLibraryOffersOnlyNamesOfTheTable() {
    List<String> table =
        KernelLibrary.standard().signatures().stream().map(KernelSignature::name).toList();
    assertThat(table).containsAll(device().library().functionNames());
    assertThat(device().library().find("relaxvm.conformance_none")).isEmpty();
    assertThat(device().library().find("conformance.none")).isEmpty();
    assertThat(device().library().origin()).isNotBlank();
  }

  @Test
  void everyKernelEqualsItsDefinitionForEveryDType() {
    RandomTensors tensors = new RandomTensors(random(), can(Capability.STRIDED_TENSORS));
    KernelCases cases = new KernelCases(tensors);
    int calls = 0;
    int made = 0;
    for (KernelSignature signature : offered()) {
      for (DType dtype : dtypesOf(signature)) {
        for (int round = 0; round < ROUNDS; round++) {
          calls++;
          if (includes(signature, dtype, round)) {
            made++;
            check(signature, cases.make(signature, dtype));
          }
        }
      }
    }
    LoggerFactory.getLogger(getClass())
        .info("{} makes {} of {} calls of the kernel library", device(), made, calls);
    assertThat(made > 0).as("calls were made").isEqualTo(calls > 0);
  }

  @Test
  void valuesThatAreNotFiniteGiveWhatTheDefinitionsSay() {
    for (ExtremeCases.Case extreme : ExtremeCases.all()) {
      for (KernelSignature signature : offered()) {
        if (signature.name().equals("relaxvm." + extreme.name())) {
          check(signature, extreme.args());
        }
      }
    }
  }

  @Test
  void theOutputMayBeAnInputWhereTheTableSaysSo() {
    Tensor x = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    PackedFunc add = device().library().find("relaxvm.add").orElse(null);
    PackedFunc softmax = device().library().find("relaxvm.softmax").orElse(null);
    if (add != null) {
      Tensor there = session().upload(x);
      session().call(add, there, there, there);
      session().stream().synchronize();
      assertThat(there.toHost().toFloatArray()).containsExactly(2, 4, 6);
    }
    if (softmax != null) {
      Tensor there = session().upload(Tensor.zeros(DType.FLOAT32, Shape.of(4)));
      session().call(softmax, there, 0, there);
      session().stream().synchronize();
      assertThat(there.toHost().toFloatArray()).containsExactly(0.25f, 0.25f, 0.25f, 0.25f);
    }
  }

  @Test
  void kernelsFollowTheCopiesOfTheirStreamWithoutWaiting() {
    PackedFunc add = device().library().find("relaxvm.add").orElse(null);
    if (add == null) {
      return;
    }
    Tensor sum = session().upload(Tensor.of(new float[] {0, 0}, Shape.of(2)));
    Tensor one = session().upload(Tensor.of(new float[] {1, 2}, Shape.of(2)));
    for (int round = 0; round < 10; round++) {
      session().call(add, sum, one, sum);
    }
    session().stream().synchronize();
    assertThat(sum.toHost().toFloatArray()).containsExactly(10, 20);
  }

  @Test
  void aWrongNumberOfArgumentsIsATypedError() {
    for (KernelSignature signature : offered()) {
      refuses(signature, new Object[0], signature.name());
      refuses(signature, new Object[signature.arguments().size() + 1], signature.name());
    }
  }

  @Test
  void anArgumentOfAnotherKindIsATypedErrorThatNamesIt() {
    KernelCases cases = plainCases();
    for (KernelSignature signature : offered()) {
      for (int i = 0; i < signature.arguments().size(); i++) {
        KernelArgument argument = signature.arguments().get(i);
        @Nullable Object[] args = uploaded(cases.make(signature, dtypesOf(signature).getFirst()));
        args[i] = argument.role() == ArgumentRole.STRING ? 7 : "seven";
        refuses(signature, args, signature.name(), "'" + argument.name() + "'");
        session().closeTensors();
      }
    }
  }

  @Test
  void aDTypeThatTheTableForbidsIsATypedErrorThatNamesTheArgument() {
    KernelCases cases = plainCases();
    for (KernelSignature signature : offered()) {
      for (int i = 0; i < signature.arguments().size(); i++) {
        KernelArgument argument = signature.arguments().get(i);
        @Nullable Object[] args = uploaded(cases.make(signature, dtypesOf(signature).getFirst()));
        DType wrong = argument.dtypes() == DTypeSet.BOOL ? DType.FLOAT32 : DType.BOOL;
        if (args[i] instanceof Tensor tensor && !argument.dtypes().contains(wrong)) {
          args[i] = session().upload(Tensor.zeros(wrong, tensor.shape()));
          refuses(signature, args, signature.name(), "'" + argument.name() + "'");
        }
        session().closeTensors();
      }
    }
  }

  @Test
  void anOutputOfAnotherShapeIsATypedErrorAndNothingIsWritten() {
    KernelCases cases = plainCases();
    for (KernelSignature signature : offered()) {
      if (signature.name().equals("relaxvm.full")) {
        continue;
      }
      @Nullable Object[] hostArgs = cases.make(signature, dtypesOf(signature).getFirst());
      int last = hostArgs.length - 1;
      Tensor out = (Tensor) Objects.requireNonNull(hostArgs[last]);
      long[] dims = Arrays.copyOf(out.shape().toArray(), out.shape().rank() + 2);
      // An empty output would show nothing.
      Arrays.setAll(dims, axis -> Math.max(1, dims[axis]));
      dims[dims.length - 2] = 7;
      dims[dims.length - 1] = 11;
      boolean stretches = signature.arguments().getFirst().shape().startsWith("broadcast");
      if ((stretches || hostArgs.length == 2) && hostArgs[0] instanceof Tensor x) {
        // What broadcasts to any output needs an axis that this one has not.
        hostArgs[0] = Tensor.zeros(x.dtype(), Shape.of(13));
      }
      hostArgs[last] = Tensor.zeros(out.dtype(), Shape.of(dims));
      @Nullable Object[] args = uploaded(hostArgs);
      refuses(signature, args, signature.name());
      Tensor target = (Tensor) Objects.requireNonNull(args[last]);
      session().stream().synchronize();
      assertThat(target.toHost().toDoubleArray()).containsOnly(0);
      session().closeTensors();
    }
  }

  @Test
  void aClosedTensorIsATypedError() {
    for (KernelSignature signature : offered()) {
      if (signature.arguments().getFirst().role() == ArgumentRole.INPUT) {
        @Nullable Object[] args =
            uploaded(plainCases().make(signature, dtypesOf(signature).getFirst()));
        ((Tensor) Objects.requireNonNull(args[0])).close();
        refuses(signature, args, signature.name(), "closed");
        session().closeTensors();
      }
    }
  }

  @Test
  void stridedTensorsAreRefusedWhereKernelsDoNotTakeThem() {
    PackedFunc add = device().library().find("relaxvm.add").orElse(null);
    if (can(Capability.STRIDED_TENSORS) || add == null) {
      return;
    }
    Tensor rows = session().upload(Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)));
    Tensor out = session().upload(Tensor.zeros(DType.FLOAT32, Shape.of(3, 2)));
    try (Tensor columns = rows.permute(1, 0)) {
      assertThatThrownBy(() -> session().call(add, columns, columns, out))
          .isInstanceOf(RelaxException.class)
          .hasMessageContaining("relaxvm.add");
    }
  }

  private void check(KernelSignature signature, @Nullable Object[] hostArgs) {
    PackedFunc kernel = device().library().find(signature.name()).orElseThrow();
    Definition definition = Objects.requireNonNull(definitions.get(signature.name()));
    KernelRequest request = KernelRequest.of(signature, CallArgs.of(hostArgs), MemoryOperand::of);
    String call = signature.name() + Arrays.toString(hostArgs);
    CallException refusal =
        catchThrowableOfType(CallException.class, () -> definition.define(request));
    if (refusal != null || !supports(hostArgs)) {
      assertThatThrownBy(
              () -> session().callUploaded(kernel, hostArgs), "%s, which is to be refused", call)
          .isInstanceOf(RelaxException.class)
          .hasMessageContaining(signature.name());
    } else {
      @Nullable Object[] args = session().callUploaded(kernel, hostArgs);
      Tensor out = (Tensor) Objects.requireNonNull(args[args.length - 1]);
      Expected.check(out.toHost(), definition.define(request), call);
    }
    session().closeTensors();
    for (Object value : hostArgs) {
      if (value instanceof Tuple tuple) {
        tuple.close();
      }
    }
  }

  private boolean supports(@Nullable Object[] args) {
    boolean all = true;
    for (Object value : args) {
      Object first = value instanceof Tuple tuple ? tuple.get(0) : value;
      if (first instanceof Tensor tensor) {
        DType dtype = tensor.dtype();
        all &= can(Capability.FLOAT8) || !dtype.isFloat8();
        all &= can(Capability.FLOAT16) || !dtype.equals(DType.FLOAT16);
        all &= can(Capability.BFLOAT16) || !dtype.equals(DType.BFLOAT16);
        all &= can(Capability.FLOAT64) || !dtype.equals(DType.FLOAT64);
        all &= can(Capability.INTEGERS) || !dtype.isInteger();
      }
    }
    return all;
  }

  private void refuses(KernelSignature signature, @Nullable Object[] args, String... parts) {
    PackedFunc kernel = device().library().find(signature.name()).orElseThrow();
    assertThatThrownBy(
            () -> session().call(kernel, args), "%s%s", signature.name(), Arrays.toString(args))
        .isInstanceOf(CallException.class)
        .hasMessageContainingAll(parts);
  }

  private @Nullable Object[] uploaded(@Nullable Object[] hostArgs) {
    return session().callUploaded((args, result) -> {}, hostArgs);
  }

  /** Cases whose shapes are without strides. */
  private KernelCases plainCases() {
    return new KernelCases(new RandomTensors(random(), false));
  }

  private List<KernelSignature> offered() {
    List<KernelSignature> offered = new ArrayList<>();
    for (KernelSignature signature : KernelLibrary.standard().signatures()) {
      if (device().library().functionNames().contains(signature.name())) {
        offered.add(signature);
      }
    }
    return offered;
  }

  /** The dtypes of a kernel's main operand. */
  private static List<DType> dtypesOf(KernelSignature signature) {
    int main = signature.name().equals("relaxvm.where") ? 1 : 0;
    List<KernelArgument> arguments = signature.arguments();
    for (KernelArgument argument : arguments.subList(main, arguments.size())) {
      if (argument.dtypes() != DTypeSet.NONE) {
        return RandomTensors.membersOf(argument.dtypes());
      }
    }
    throw new IllegalStateException(signature + " has no tensor");
  }
}
