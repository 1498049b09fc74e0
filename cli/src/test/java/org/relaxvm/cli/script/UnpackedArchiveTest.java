package org.relaxvm.cli.script;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.MalformedFileException;

class UnpackedArchiveTest {
  private final ByteArrayOutputStream tar = new ByteArrayOutputStream();
  @TempDir private Path folder;

  private void entry(String name, char type, String content) {
    byte[] header = new byte[512];
    byte[] bytes = name.getBytes(US_ASCII);
    System.arraycopy(bytes, 0, header, 0, Math.min(100, bytes.length));
    byte[] size = "%011o".formatted(content.length()).getBytes(US_ASCII);
    System.arraycopy(size, 0, header, 124, size.length);
    header[156] = (byte) type;
    System.arraycopy("ustar".getBytes(US_ASCII), 0, header, 257, 5);
    tar.writeBytes(header);
    tar.writeBytes(Arrays.copyOf(content.getBytes(US_ASCII), (content.length() + 511) / 512 * 512));
  }

  private Path archive() throws IOException {
    Path file = folder.resolve("archive.tar.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(tar.toByteArray());
    }
    return file;
  }

  @Test
  void filesAreUnpackedAndDeletedAgain() throws IOException {
    String longName = "n".repeat(120) + "/script.json";
    entry("a/", '5', "");
    entry("a/script.json", '0', "one");
    entry("a/link", '2', "");
    entry("b/other.json", '0', "x".repeat(513));
    entry("././@LongLink", 'L', longName + "\0");
    entry("cut", '0', "two");
    entry("pax", 'x', "26 path=p/q/script.json\n");
    entry("cut", '0', "three");
    tar.writeBytes(new byte[1024]);
    Path unpacked;
    try (UnpackedArchive archive = UnpackedArchive.of(archive())) {
      unpacked = archive.folder();
      List<Path> found = archive.foldersWith("script.json");
      assertThat(found)
          .containsExactly(
              unpacked.resolve("a"), unpacked.resolve("n".repeat(120)), unpacked.resolve("p/q"));
      assertThat(found)
          .extracting(each -> Files.readString(each.resolve("script.json")))
          .containsExactly("one", "two", "three");
      assertThat(unpacked.resolve("a/link")).doesNotExist();
      assertThat(unpacked.resolve("b/other.json")).hasSize(513);
    }
    assertThat(unpacked).doesNotExist();
  }

  @Test
  void anEntryThatLeadsOutIsRefused() throws IOException {
    entry("../outside", '0', "x");
    Path file = archive();
    assertThatThrownBy(() -> UnpackedArchive.of(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "cannot read the archive '"
                + file
                + "': the entry '../outside' leads out of the archive");
    assertThat(folder.resolveSibling("outside")).doesNotExist();
  }

  @Test
  void aDamagedArchiveIsRefused() throws IOException {
    entry("a/script.json", '0', "one");
    byte[] whole = tar.toByteArray();
    tar.reset();
    tar.write(whole, 0, 514);
    Path file = archive();
    assertThatThrownBy(() -> UnpackedArchive.of(file))
        .hasMessage("cannot read the archive '" + file + "': it ends within an entry");
    tar.reset();
    tar.write(whole, 0, 100);
    assertThatThrownBy(() -> UnpackedArchive.of(archive()))
        .hasMessage(
            "cannot read the archive '" + file + "': it ends within the header of an entry");
    tar.reset();
    whole[130] = '9';
    tar.writeBytes(whole);
    assertThatThrownBy(() -> UnpackedArchive.of(archive()))
        .hasMessage(
            "cannot read the archive '" + file + "': the size of an entry is no octal number");
  }
}
