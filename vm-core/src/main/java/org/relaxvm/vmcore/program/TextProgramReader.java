package org.relaxvm.vmcore.program;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.text.Assembler;

/** Reads programs in text form, UTF-8. Thread-safe. */
public final class TextProgramReader implements ProgramReader {
  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return "text";
  }

  @Override
  public String describe() {
    return "the text form, starting with the line '"
        + Assembler.HEADER
        + " "
        + Assembler.VERSION
        + "'";
  }

  @Override
  public boolean accepts(FileHead head) {
    return Assembler.looksLikeProgram(head.text());
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    byte[] bytes = FileBytes.read(path);
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE, path.toAbsolutePath() + " is not encoded in UTF-8", e);
    }
    return Program.of(Assembler.parse(text)).withSource(path.toAbsolutePath().toString());
  }
}
