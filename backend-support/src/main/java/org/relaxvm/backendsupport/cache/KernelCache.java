package org.relaxvm.backendsupport.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.io.AtomicFile;
import org.slf4j.LoggerFactory;

/**
 * Compiled kernels in a folder that processes share. An entry is whole or it is not there: it is
 * written beside its final location and then moved, and what is read is checked against a checksum.
 * So no process waits for another; two that miss the same kernel both compile it.
 *
 * <p>The cache never makes a program fail. A folder that cannot be written is told of once, in a
 * warning, and kernels that are there are still used; an entry that is damaged is deleted and
 * compiled again. Entries used longest ago go when there are more bytes than the limit.
 *
 * <p>Thread-safe. There is nothing to close.
 */
public final class KernelCache {
  /** How old the time of an entry's last use may be; younger ones are not touched. */
  private static final Duration USE_PRECISION = Duration.ofHours(1);

  /** After this, what other processes wrote is counted again. */
  private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);

  private final CacheSettings settings;
  private final @Nullable CacheFolder folder;
  private final Consumer<String> warnings;
  private final InstantSource clock;
  private final ConcurrentHashMap<String, FutureTask<byte[]>> underWay = new ConcurrentHashMap<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /** Guards the next two and {@link #problem} for writing. */
  private final ReentrantLock writes = new ReentrantLock();

  private long knownBytes;
  private Instant nextSweep = Instant.MIN;
  private volatile String problem;

  KernelCache(CacheSettings settings, Consumer<String> warnings, InstantSource clock) {
    this.settings = settings;
    this.folder = settings.folder().map(CacheFolder::new).orElse(null);
    this.warnings = warnings;
    this.clock = clock;
    this.problem = folder == null ? String.join("; ", settings.problems()) : "";
    settings.problems().forEach(warnings);
  }

  /** Opens a cache. The folder is looked at only when there is a kernel to find or to keep. */
  public static KernelCache open(CacheSettings settings) {
    return new KernelCache(
        settings, LoggerFactory.getLogger(KernelCache.class)::warn, InstantSource.system());
  }

  /** Whether nothing is looked for or kept, as the settings say. */
  public boolean isOff() {
    return folder == null;
  }

  /**
   * A compiled kernel: from the folder, or else compiled and kept. Threads that ask for one kernel
   * at the same time compile it once.
   *
   * @param compiler called in this thread, if at all; it must not ask for the same kernel
   * @return an array of the caller's own
   * @throws CallException when the thread is interrupted while it waits for another that compiles
   * @throws RuntimeException what the compiler throws; nothing is kept, and a thread that waited
   *     for it compiles itself
   */
  public byte[] get(KernelKey key, Supplier<byte[]> compiler) {
    byte[] digest = key.digest();
    String id = key.id();
    FutureTask<byte[]> own = new FutureTask<>(() -> findOrCompile(digest, id, compiler));
    FutureTask<byte[]> other = underWay.putIfAbsent(id, own);
    while (other != null) {
      Optional<byte[]> content = await(other, key);
      if (content.isPresent()) {
        hits.increment();
        return content.get().clone();
      }
      // An exception belongs to one thread, so this one finds out for itself.
      underWay.remove(id, other);
      other = underWay.putIfAbsent(id, own);
    }
    try {
      own.run();
      return resultOf(own);
    } finally {
      underWay.remove(id, own);
    }
  }

  /**
   * What was {@linkplain #put kept} under a key; does not count as a hit or a miss.
   *
   * @return an array of the caller's own; empty when there is nothing
   */
  public Optional<byte[]> find(KernelKey key) {
    return folder == null ? Optional.empty() : find(folder.entry(key.id()), key.digest());
  }

  /**
   * Keeps something under a key, replacing what was there. For what a driver gathers, which is no
   * single kernel. Like all that the cache does it never fails; then nothing is kept.
   */
  public void put(KernelKey key, byte[] content) {
    if (folder != null && problem.isEmpty() && fits(content)) {
      keep(folder, folder.entry(key.id()), key.digest(), content);
    }
  }

  /** Forgets a kernel, for a device that refuses what the cache gave. */
  public void discard(KernelKey key) {
    if (folder != null) {
      EntryFile.delete(folder.entry(key.id()));
    }
  }

  /** What there is now; reads the names and sizes of all entries. */
  public CacheState state() {
    String why = problem;
    CacheFolder.Content content = new CacheFolder.Content(0, 0);
    if (folder != null) {
      try {
        if (why.isEmpty()) {
          why = folder.refusal();
        }
        if (Files.isDirectory(folder.path())) {
          content = folder.content();
        }
      } catch (IOException e) {
        why = why.isEmpty() ? "cannot list " + folder.path() + ": " + CacheFolder.reason(e) : why;
      }
    }
    return new CacheState(
        settings.folder(),
        settings.origin(),
        why,
        content.entries(),
        content.bytes(),
        settings.limitBytes(),
        hits.sum(),
        misses.sum());
  }

  private byte[] findOrCompile(byte[] digest, String id, Supplier<byte[]> compiler) {
    Optional<byte[]> found = folder == null ? Optional.empty() : find(folder.entry(id), digest);
    if (found.isPresent()) {
      hits.increment();
      return found.get();
    }
    misses.increment();
    byte[] content = Objects.requireNonNull(compiler.get(), "the compiler gave null");
    if (folder != null && problem.isEmpty() && fits(content)) {
      keep(folder, folder.entry(id), digest, content);
    }
    return content;
  }

  private Optional<byte[]> find(Path entry, byte[] digest) {
    Optional<byte[]> content;
    try {
      content = EntryFile.read(entry, digest, settings.limitBytes());
    } catch (IOException _) {
      return Optional.empty();
    }
    if (content.isEmpty()) {
      EntryFile.delete(entry);
    } else {
      touch(entry);
    }
    return content;
  }

  private void touch(Path entry) {
    try {
      Instant now = clock.instant();
      if (Files.getLastModifiedTime(entry).toInstant().isBefore(now.minus(USE_PRECISION))) {
        Files.setLastModifiedTime(entry, FileTime.from(now));
      }
    } catch (IOException _) {
      // Evicted since it was read, or not ours to change.
    }
  }

  private boolean fits(byte[] content) {
    return EntryFile.fileBytes(content) <= settings.limitBytes();
  }

  private void keep(CacheFolder folder, Path entry, byte[] digest, byte[] content) {
    try {
      folder.create();
      AtomicFile.write(entry, channel -> EntryFile.write(channel, digest, content));
      makeRoom(folder, EntryFile.fileBytes(content));
    } catch (MalformedFileException e) {
      // Some systems refuse to replace a file that somebody reads; then it is there already.
      if (!Files.exists(entry)) {
        giveUp(e.summary());
      }
    } catch (IOException e) {
      giveUp("cannot use " + folder.path() + ": " + CacheFolder.reason(e));
    }
  }

  private void makeRoom(CacheFolder folder, long written) throws IOException {
    writes.lock();
    try {
      knownBytes += written;
      Instant now = clock.instant();
      if (knownBytes > settings.limitBytes() || !now.isBefore(nextSweep)) {
        knownBytes = folder.sweep(settings.limitBytes(), now);
        nextSweep = now.plus(SWEEP_INTERVAL);
      }
    } finally {
      writes.unlock();
    }
  }

  /** Writes no more, unless it was only this thread that was told to stop. */
  private void giveUp(String reason) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    writes.lock();
    try {
      if (problem.isEmpty()) {
        problem = reason;
        warnings.accept(
            "compiled kernels are not kept, so the next start compiles them again: "
                + reason
                + "; set "
                + CacheSettings.FOLDER_VARIABLE
                + " to a folder that can be written, or to off");
      }
    } finally {
      writes.unlock();
    }
  }

  /** What another thread compiles; empty when that fails. */
  private static Optional<byte[]> await(FutureTask<byte[]> other, KernelKey key) {
    try {
      return Optional.of(other.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallException(
          ErrorKind.RUNTIME, "interrupted while another thread compiled " + key, e);
    } catch (ExecutionException _) {
      return Optional.empty();
    }
  }

  private static byte[] resultOf(FutureTask<byte[]> done) {
    switch (done.state()) {
      case SUCCESS -> {
        return done.resultNow();
      }
      default -> {
        switch (done.exceptionNow()) {
          case RuntimeException failure -> throw failure;
          case Error failure -> throw failure;
          case Throwable failure -> throw new IllegalStateException("no checked failure", failure);
        }
      }
    }
  }
}
