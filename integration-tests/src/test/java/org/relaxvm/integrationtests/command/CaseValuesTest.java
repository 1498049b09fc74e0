package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;

/** The values that a case folder may have. */
class CaseValuesTest {
  @TempDir private Path folder;

  @BeforeEach
  void writeProgram() throws IOException {
    Files.writeString(
        folder.resolve("program.txt"),
        """
        relaxvm-text 1
        @identity(x):
          ret   %0
        @dtype_checked(x):
          call  vm.builtin.check_prim_value_info in: i1, %0, "" dst: %1
          ret   %0
        @offset_free(x):
          call  vm.builtin.ensure_zero_offset in: %0 dst: %1
          ret   %1
        @pair(x, y):
          call  vm.builtin.make_tuple in: %0, %1 dst: %2
          ret   %2
        """);
    Npy.write(folder.resolve("f.npy"), Tensor.of(new float[] {1, 2, 3}, Shape.of(3)));
    Npy.write(
        folder.resolve("bits.npy"),
        Tensor.of(new short[] {0x3F80, 0x4000}, Shape.of(2))
            .reinterpret(Shape.of(2), DType.UINT16));
    Npy.write(
        folder.resolve("more.npy"),
        Tensor.of(new short[] {0x3F80, 0x4001}, Shape.of(2))
            .reinterpret(Shape.of(2), DType.UINT16));
    Npy.write(
        folder.resolve("bytes.npy"),
        Tensor.of(new byte[] {0x38, 0x40}, Shape.of(2)).reinterpret(Shape.of(2), DType.UINT8));
  }

  private CommandRun check(String head, String args, String function, String result, Object... more)
      throws IOException {
    Files.writeString(
        folder.resolve("case.json"),
        """
        {%s "runs": [{"function": "%s", "args": [%s], "results": %s}]}
        """
            .formatted(head, function, args, result));
    Object[] all = new Object[more.length + 2];
    all[0] = "check";
    all[1] = folder;
    System.arraycopy(more, 0, all, 2, more.length);
    return CommandRun.of(all);
  }

  private String reason(CommandRun run) {
    assertThat(run.err()).isEmpty();
    return run.out().lines().findFirst().orElseThrow().replaceFirst("^.* run 0 [a-z_]*:? ?", "");
  }

  @Test
  void dtypesAreValues() throws IOException {
    String dtype = "{\"dtype\": \"bfloat16\"}";
    assertThat(reason(check("", dtype, "identity", dtype))).isEmpty();
    assertThat(reason(check("", dtype, "identity", "{\"dtype\": \"float16\"}")))
        .isEqualTo("result: expected DataType float16, but got DataType bfloat16");
    assertThat(
            reason(check("", "{\"dtype\": \"int64\"}", "dtype_checked", "{\"dtype\": \"int64\"}")))
        .isEmpty();
  }

  @Test
  void tensorsHaveDtypesThatTheFileFormatLacks() throws IOException {
    String bits = "{\"npy\": \"bits.npy\", \"dtype\": \"bfloat16\"}";
    String more = "{\"npy\": \"more.npy\", \"dtype\": \"bfloat16\"}";
    assertThat(reason(check("", bits, "identity", bits))).isEmpty();
    assertThat(reason(check("", bits, "identity", more)))
        .isEqualTo("result: element 1: expected 2.015625, but got 2.0");
    assertThat(reason(check("", bits, "identity", more, "--rtol", "0.01"))).isEmpty();
    assertThat(reason(check("", bits, "identity", more, "--atol", "0.02"))).isEmpty();
    assertThat(reason(check("\"relative_tolerance\": 0.5,", bits, "identity", more, "--rtol", "0")))
        .isEqualTo("result: element 1: expected 2.015625, but got 2.0");
    String float8 = "{\"npy\": \"bytes.npy\", \"dtype\": \"float8_e4m3fn\"}";
    assertThat(reason(check("", float8, "identity", float8))).isEmpty();
    assertThat(reason(check("", float8, "identity", "{\"npy\": \"bytes.npy\"}")))
        .isEqualTo("result: expected uint8[2], but got float8_e4m3fn[2]");
  }

  @Test
  void tensorsBeginAtByteOffsets() throws IOException {
    String inside = "{\"npy\": \"f.npy\", \"byte_offset\": 8}";
    assertThat(reason(check("", inside, "identity", "{\"npy\": \"f.npy\"}"))).isEmpty();
    assertThat(reason(check("", inside, "offset_free", "{\"npy\": \"f.npy\"}"))).isEmpty();
  }

  @Test
  void aCaseHasSeveralDevices() throws IOException {
    String on1 = "{\"npy\": \"f.npy\", \"device\": \"cpu:1\"}";
    String both = "{\"tuple\": [{\"npy\": \"f.npy\"}, {\"npy\": \"f.npy\"}]}";
    assertThat(
            reason(
                check(
                    "\"devices\": [\"cpu:1\", \"cpu:0\"],",
                    on1 + ", {\"npy\": \"f.npy\"}",
                    "pair",
                    both)))
        .isEmpty();
    String elsewhere = "{\"npy\": \"f.npy\", \"device\": \"nowhere:0\"}";
    assertThat(reason(check("", elsewhere, "identity", "{\"npy\": \"f.npy\"}")))
        .isEqualTo(
            "ValueError: an argument of the case is on nowhere:0, which is none of the devices:"
                + " cpu:0");
  }

  @Test
  void anUnknownNotationIsRefused() throws IOException {
    assertThat(reason(check("", "{\"number\": 1}", "identity", "{\"null\": true}")))
        .isEqualTo(
            "ValueError: '"
                + folder.resolve("case.json")
                + "': unknown value {number=1}; expected an object with one of npy, zeros, value,"
                + " shape, string, dtype, null, tuple");
  }
}
