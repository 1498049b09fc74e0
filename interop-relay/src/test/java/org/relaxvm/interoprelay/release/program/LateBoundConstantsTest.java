package org.relaxvm.interoprelay.release.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoprelay.release.Kernels.longs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedConstant.LateBound;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.file.EraFiles;

class LateBoundConstantsTest {
  private static ReleasedExecutable executable(ReleasedConstant... constants) {
    ReleasedExecutable base = EraFiles.executable("0.9.0");
    return new ReleasedExecutable(
        base.version(),
        base.era(),
        base.devices(),
        base.hostDevice(),
        base.functions(),
        List.of(constants),
        base.constantDevices(),
        base.packed(),
        base.packedAttributes());
  }

  @Test
  void namesGetTheTensorsOfTheFile() {
    Tensor one = longs(1);
    Tensor two = longs(2);
    ReleasedConstant.Stored stored = new ReleasedConstant.Stored(longs(9));
    ReleasedExecutable bound =
        LateBoundConstants.bind(
            executable(new LateBound("const_0"), stored, new LateBound("const_2")),
            Map.of("const_2", two, "const_0", one));
    assertThat(bound.constants())
        .isEqualTo(
            List.of(new ReleasedConstant.Stored(one), stored, new ReleasedConstant.Stored(two)));
    assertThat(LateBoundConstants.names(bound)).isEmpty();
  }

  @Test
  void programWithoutParameterFileNamesItsConstants() {
    assertThatThrownBy(
            () ->
                LateBoundConstants.bind(
                    executable(new LateBound("const_0"), new LateBound("const_1")), Map.of()))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            2 constants of the program without a tensor: const_0, const_1
              expected: a parameter file with each constant that the program lacks, and no other
              what to do: load the program with its parameter file: LoadOptions.withParams, or --params on the command line\
            """);
  }

  @Test
  void gapsAndSurplusNamesAreErrors() {
    assertThatThrownBy(
            () ->
                LateBoundConstants.bind(
                    executable(new LateBound("const_0"), new LateBound("const_1")),
                    Map.of("const_1", longs(1))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            1 constant of the program without a tensor: const_0
              expected: a parameter file with each constant that the program lacks, and no other
              what to do: give the parameter file that was saved with this program\
            """);
    Map<String, Tensor> many = new LinkedHashMap<>();
    for (int i = 0; i < 13; i++) {
      many.put("const_" + i, longs(i));
    }
    assertThatThrownBy(() -> LateBoundConstants.bind(executable(new LateBound("const_0")), many))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith(
            "12 parameters that no constant of the program names: const_1, const_2, const_3,"
                + " const_4, const_5, const_6, const_7, const_8, const_9, const_10 and 2 more\n");
    assertThatThrownBy(() -> LateBoundConstants.bind(executable(), Map.of("const_0", longs(1))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageEndingWith(
            "\n"
                + "  what to do: load the program without a parameter file: its constants are in"
                + " its own file");
  }
}
