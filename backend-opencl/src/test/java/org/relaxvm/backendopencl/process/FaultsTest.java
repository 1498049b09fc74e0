package org.relaxvm.backendopencl.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.relaxvm.backendopencl.NeedsOpenCl;
import org.relaxvm.backendopencl.OpenClFaults;

/**
 * Faults in Java code stay the JVM's after a driver registered its own signal handlers, and those
 * in kernels stay the driver's.
 */
@NeedsOpenCl
@EnabledOnOs(value = OS.LINUX, disabledReason = "signal handlers are kept on Linux only")
class FaultsTest {
  /** Other lines are warnings of the JVM, the compiler and the logger. */
  private static final Pattern LINE = Pattern.compile("Java |kernel|built ");

  @Test
  void faultsOfJavaCodeAndOfKernelsAreHandledByTheirOwn() throws Exception {
    assertThat(ChildJvm.run(OpenClFaults.class, Map.of(), List.of("-Xint")).lines())
        .filteredOn(line -> LINE.matcher(line).lookingAt())
        .containsExactly(
            "Java after the driver was loaded: / by zero",
            "kernel: 3, any, 3",
            "Java after a kernel: / by zero",
            "built 20 of 20 programs among faults: true",
            "kernel after faults: 3, any, 3",
            "Java after faults: / by zero");
  }
}
