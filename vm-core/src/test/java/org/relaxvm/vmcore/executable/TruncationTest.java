package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

class TruncationTest {
  @ParameterizedTest
  @CsvSource({
    "0x00, 0x08, Invalid VM file format in the header section.",
    "0x08, 0x14, Invalid VM file format in the version section.",
    "0x14, 0x92, Invalid VM file format in the Global Section section.",
    "0x92, 0x9A, Invalid VM file format in the memory scopes section.",
    "0x9A, 0xC2, Invalid VM file format in the constant section.",
    "0xC2, 0xF6, Invalid DLTensor file format",
    "0xF6, 0x10E, Invalid VM file format in the instr offset section.",
    "0x10E, 0x15E, Invalid VM file format in the instr data section.",
  })
  void everyPrefixNamesTheSectionThatIsCutShort(String from, String to, String tvmMessage) {
    for (int length = Integer.decode(from); length < Integer.decode(to); length++) {
      byte[] prefix = Arrays.copyOf(WorkedExample.bytes(), length);
      MalformedFileException error =
          catchThrowableOfType(MalformedFileException.class, () -> ExecutableReader.read(prefix));
      assertThat(error).as("the first %d bytes", length).isNotNull();
      assertThat(error.tvmMessage()).hasValue(tvmMessage);
      assertThat(error.kind()).isEqualTo(ErrorKind.INTERNAL);
    }
  }
}
