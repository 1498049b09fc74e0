package org.relaxvm.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RelaxExceptionTest {
  @Test
  void locationsFollowTheFirstLineInnermostFirst() {
    RelaxException error = new CallException(ErrorKind.VALUE, "it is wrong");
    assertThat(error).hasMessage("it is wrong");
    error.addLocation("function f, pc 3");
    error.addLocation("function main, pc 0");
    assertThat(error).hasMessage("it is wrong\n  at function f, pc 3\n  at function main, pc 0");
    assertThat(error.summary()).isEqualTo("it is wrong");
    assertThat(error.kind()).hasToString("ValueError");
    assertThat(error.locations()).containsExactly("function f, pc 3", "function main, pc 0");
  }

  @Test
  void theRemedyIsTheLastLineOfTheSummary() {
    RelaxException error =
        new CallException(ErrorKind.VALUE, "it is wrong\n  expected: more\n  what to do: add some");
    error.addLocation("function f, pc 3");
    assertThat(error.remedy()).hasValue("add some");
    assertThat(error.problem()).isEqualTo("it is wrong\n  expected: more");
    assertThat(error)
        .hasMessage("it is wrong\n  expected: more\n  what to do: add some\n  at function f, pc 3");
    RelaxException plain = new CallException(ErrorKind.VALUE, "it is wrong");
    assertThat(plain.remedy()).isEmpty();
    assertThat(plain.problem()).isEqualTo("it is wrong");
  }

  @Test
  void anInternalErrorOfTvmIsNoFaultOfRelaxVm() {
    CallException error = new CallException(ErrorKind.INTERNAL, "f takes 1 argument, got 2");
    assertThat(error.isInternal()).isTrue();
    assertThat(error.tvmMessage()).isEmpty();
    assertThat(error.withTvmMessage("f expects 1")).isSameAs(error);
    assertThat(error.isInternal()).isFalse();
    assertThat(error.tvmMessage()).hasValue("f expects 1");
    assertThat(error).hasMessage("f takes 1 argument, got 2");
    assertThat(new CallException(ErrorKind.VALUE, "wrong").isInternal()).isFalse();
  }

  @Test
  void deepStacksAreShortened() {
    RelaxException error = new RelaxException(ErrorKind.INTERNAL, "deep");
    for (int i = 0; i < 1_000_000; i++) {
      error.addLocation("frame " + i);
    }
    assertThat(error.locations()).hasSize(16);
    assertThat(error.getMessage()).endsWith("\n  at frame 15\n  ... 999984 more frames");
  }

  @Test
  void outOfMemoryCarriesTheSize() {
    DeviceOutOfMemoryException error = new DeviceOutOfMemoryException(64, "no room", null);
    assertThat(error.requestedBytes()).isEqualTo(64);
    assertThat(error.kind()).isEqualTo(ErrorKind.MEMORY);
    assertThat(error.kind().text()).isEqualTo("MemoryError");
  }
}
