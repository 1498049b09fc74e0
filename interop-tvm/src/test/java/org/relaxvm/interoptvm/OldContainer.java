package org.relaxvm.interoptvm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;

/** Modules of a library as Apache TVM 0.20 and older write them, by hand. */
public final class OldContainer {
  private final List<byte[]> modules = new ArrayList<>();

  /** A module whose content is one string. */
  public OldContainer string(String kind, byte[] content) {
    modules.add(new Bytes().string(kind).blob(content).toArray());
    return this;
  }

  /** A module whose content has no length. */
  public OldContainer module(String kind, byte[] content) {
    modules.add(new Bytes().string(kind).raw(content).toArray());
    return this;
  }

  public OldContainer library() {
    return module("_lib", new byte[0]);
  }

  /** Which module imports which: where the children of each end, and the children. */
  public OldContainer tree(long[] ends, long... children) {
    byte[] content =
        new Bytes().i64(ends.length).i64(ends).i64(children.length).i64(children).toArray();
    return module("_import_tree", content);
  }

  /** The content of the symbol. */
  public byte[] toArray() {
    Bytes content = new Bytes().i64(modules.size());
    modules.forEach(content::raw);
    return new Bytes().blob(content.toArray()).toArray();
  }

  public MemorySegment segment() {
    return MemorySegment.ofArray(toArray());
  }

  /** A library with these modules; without a compiler the test is skipped, and says so. */
  public Path compile(Path folder, String name, String... flags) throws IOException {
    Path container = folder.resolve(name + ".bin").toAbsolutePath();
    Files.write(container, toArray());
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("-DTVM_TEST_CONTAINER=\"" + container + "\"");
    return CLibrary.compile(folder, "imitation-old.c", name, all.toArray(String[]::new));
  }

  /** An executable of Relax as those releases write it; its constants are tensors. */
  public static byte[] executable(Executable executable) {
    Bytes out = new Bytes().i64(0xD225DE2F4214151DL).string("0.14");
    out.i64(executable.functions().size());
    for (FunctionInfo function : executable.functions()) {
      out.i32(function.kind().ordinal()).string(function.name());
      out.i64(function.startInstr(), function.endInstr());
      out.i64(function.numArgs(), function.registerFileSize());
      out.strings(function.paramNames().toArray(String[]::new));
    }
    out.i64(executable.constants().size());
    for (Object constant : executable.constants()) {
      out.i32(0).tensor((Tensor) constant);
    }
    out.i64(executable.instructionCount());
    for (int i = 0; i < executable.instructionCount(); i++) {
      out.i64(executable.offset(i));
    }
    out.i64(executable.wordCount());
    for (int i = 0; i < executable.wordCount(); i++) {
      out.i64(executable.word(i));
    }
    return out.toArray();
  }
}
