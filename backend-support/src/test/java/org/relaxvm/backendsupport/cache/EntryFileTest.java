package org.relaxvm.backendsupport.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.backendsupport.cache.TestCache.NOT_TO_BE_COMPILED;
import static org.relaxvm.backendsupport.cache.TestCache.compiled;
import static org.relaxvm.backendsupport.cache.TestCache.file;
import static org.relaxvm.backendsupport.cache.TestCache.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to an entry, nobody gets other bytes than the compiler made. */
class EntryFileTest {
  private static final KernelKey KEY = key(1);
  private static final byte[] CONTENT = compiled(KEY, 200);

  @TempDir Path folder;
  private TestCache opened;
  private byte[] whole;
  private final AtomicInteger compilations = new AtomicInteger();

  @BeforeEach
  void keepOne() throws IOException {
    opened = TestCache.in(folder);
    opened.cache.get(KEY, CONTENT::clone);
    whole = Files.readAllBytes(file(folder, KEY));
  }

  @Test
  void anEntryIsAHeaderAndTheKernel() {
    assertThat(whole).hasSize(84 + 200).startsWith(0x89, 'R', 'V', 'M', 'K', '\r', '\n', 0x1a);
    assertThat(Arrays.copyOfRange(whole, 8, 12)).containsExactly(0, 0, 0, 1);
    assertThat(Arrays.copyOfRange(whole, 12, 44)).isEqualTo(KEY.digest());
    assertThat(Arrays.copyOfRange(whole, 84, 284)).isEqualTo(CONTENT);
  }

  @Test
  void eachTruncatedEntryIsCompiledAgain() throws IOException {
    for (int length = 0; length < whole.length; length++) {
      rebuiltFrom(Arrays.copyOf(whole, length), "cut to " + length);
    }
    rebuiltFrom(Arrays.copyOf(whole, whole.length + 1), "one byte more");
    assertThat(opened.cache.state().misses()).isEqualTo(1 + 284 + 1);
  }

  @Test
  void eachFlippedBitIsCompiledAgain() throws IOException {
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      rebuiltFrom(damaged, "bit " + bit);
    }
  }

  @Test
  void anEntryOfAnotherKernelIsCompiledAgain() throws IOException {
    KernelKey other = key(2);
    opened.get(other);
    rebuiltFrom(Files.readAllBytes(file(folder, other)), "the entry of another kernel");
  }

  @Test
  void aDamagedEntryIsDeletedBeforeItIsCompiled() throws IOException {
    Files.write(file(folder, KEY), new byte[] {1, 2, 3});
    opened.cache.get(
        KEY,
        () -> {
          assertThat(file(folder, KEY)).doesNotExist();
          return CONTENT.clone();
        });
    assertThat(opened.cache.state().misses()).isEqualTo(2);
  }

  @Test
  void aFolderInsteadOfAnEntryIsLeftAlone() throws IOException {
    Path entry = file(folder, KEY);
    Files.delete(entry);
    Files.createDirectories(entry.resolve("something"));
    assertThat(opened.cache.get(KEY, CONTENT::clone)).isEqualTo(CONTENT);
    assertThat(entry.resolve("something")).exists();
    assertThat(opened.cache.get(KEY, CONTENT::clone)).isEqualTo(CONTENT);
    assertThat(opened.warnings).isEmpty();
  }

  private void rebuiltFrom(byte[] damaged, String what) throws IOException {
    Files.write(file(folder, KEY), damaged);
    int before = compilations.get();
    byte[] got =
        opened.cache.get(
            KEY,
            () -> {
              compilations.incrementAndGet();
              return CONTENT.clone();
            });
    assertThat(got).as(what).isEqualTo(CONTENT);
    assertThat(compilations.get()).as(what).isEqualTo(before + 1);
    assertThat(opened.cache.get(KEY, NOT_TO_BE_COMPILED)).as(what).isEqualTo(CONTENT);
  }
}
