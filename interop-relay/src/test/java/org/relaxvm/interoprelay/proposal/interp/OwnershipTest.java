package org.relaxvm.interoprelay.proposal.interp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.interoprelay.proposal.RelayTestFunctions;
import org.relaxvm.interoprelay.proposal.text.RelayText;
import org.relaxvm.interoprelay.random.RandomProgram;
import org.relaxvm.interoprelay.random.RandomRelayPrograms;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Every tensor is released once nothing refers to it. */
class OwnershipTest {
  private final NaiveAllocator allocator = new NaiveAllocator(HostDevice.INSTANCE);
  private final Stream stream = HostDevice.INSTANCE.openStream();
  private final InterpreterOptions options =
      InterpreterOptions.DEFAULT.withTensors(
          (dtype, shape) -> DeviceTensors.allocate(allocator, dtype, shape, stream));

  private long liveBlocks() {
    return allocator.stats().liveBlocks();
  }

  @Test
  void theResultAloneIsKeptUntilItIsClosed() {
    String text =
        """
        packed 0 = "plus_one"
        func @main(1) {
          AllocTensor $1, 0, [], int64
          InvokePacked 0, 1, 1, $0, $1
          AllocTensor $2, 0, [], int64
          InvokePacked 0, 1, 1, $1, $2
          Mov $3, $2
          Ret $3
        }
        """;
    Value result = Interpreted.of(text, options).call("main", Tensor.scalar(1L));
    assertThat(liveBlocks()).isEqualTo(1);
    assertThat(result.asTensor().longAt()).isEqualTo(3);
    result.close();
    assertThat(liveBlocks()).isZero();
  }

  @Test
  void killReleasesBeforeTheFunctionEnds() {
    String text =
        """
        packed 0 = "live_blocks"
        func @main(0) {
          AllocTensor $0, 0, [], int64
          AllocTensor $1, 0, [], int64
          CallPacked $2, 0, 0
          Kill $0
          CallPacked $3, 0, 0
          AllocDatatype $4, 0, 2, $2, $3
          Ret $4
        }
        """;
    RelayInterpreter interpreter =
        new RelayInterpreter(
            RelayText.parse(text),
            _ -> Optional.of((_, result) -> result.setLong(liveBlocks())),
            options);
    try (Value counts = interpreter.call("main")) {
      assertThat(counts.asTuple().fields()).containsExactly(2L, 1L);
    }
  }

  @Test
  void aFailureReleasesAllFrames() {
    String text =
        """
        func @inner(1) { AllocTensor $1, 0, [], int64 AllocClosure $2, @inner, 1, $1 Fatal }
        func @main(1) {
          AllocTensor $1, 0, [], int64
          AllocDatatype $2, 1, 2, $0, $1
          Invoke $3, @inner, 1, $2
          Ret $3
        }
        """;
    RelayInterpreter interpreter = Interpreted.of(text, options);
    assertThatThrownBy(() -> interpreter.call("main", 1)).isInstanceOf(CallException.class);
    assertThat(liveBlocks()).isZero();
  }

  @Test
  void aCallDeeperThanTheLimitReleasesItsArguments() {
    String text =
        """
        func @main(1) {
          AllocTensor $1, 0, [], int64
          AllocDatatype $2, 1, 2, $1, $0
          Invoke $3, @main, 1, $2
          Ret $3
        }
        """;
    RelayInterpreter interpreter = Interpreted.of(text, options.withMaxFrames(1000));
    assertThatThrownBy(() -> interpreter.call("main", Tuple.of()))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("would be frame 1001, but the limit is 1000 frames");
    assertThat(liveBlocks()).isZero();
  }

  @Test
  void randomProgramsReleaseWhatTheyAllocate() {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(100, 1_000, 20_000));
    cases
        .numbers()
        .forEach(
            number -> {
              RandomProgram program = RandomRelayPrograms.of(cases.seed() + number, true);
              new RelayInterpreter(program.module(), RelayTestFunctions::find, options)
                  .call(RandomProgram.MAIN, program.arguments())
                  .close();
              assertThat(liveBlocks()).as(() -> cases.repeat(number)).isZero();
            });
  }
}
