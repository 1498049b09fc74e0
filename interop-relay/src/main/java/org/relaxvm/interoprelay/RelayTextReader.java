package org.relaxvm.interoprelay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.proposal.text.RelayText;
import org.relaxvm.interoprelay.translate.ProposalTranslator;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramReader;

/**
 * Reads programs in the text form of the Relay VM's proposal, UTF-8, and translates them to Relax
 * bytecode. Thread-safe.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 10.
 */
public final class RelayTextReader implements ProgramReader {
  /** A reader; it has no state. */
  public RelayTextReader() {}

  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return "relay-text";
  }

  @Override
  public String describe() {
    return "a Relay program in text form, starting with 'const 0 =', 'packed 0 =' or 'func @'";
  }

  @Override
  public boolean accepts(FileHead head) {
    return RelayText.looksLikeProgram(head.text());
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    String text;
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
      text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE, path.toAbsolutePath() + " is not encoded in UTF-8", e);
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + path.toAbsolutePath() + ": " + e.getMessage(), e);
    }
    return Program.of(ProposalTranslator.translate(RelayText.parse(text)))
        .withSource(path.toAbsolutePath().toString());
  }
}
