package org.relaxvm.interoptvm.shim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.interoptvm.object.Machine;

/**
 * Writes a small ELF library whose functions jump to wherever a table in it points. Whoever loads
 * the library fills the table first.
 *
 * <p>The table is exported as {@link #TABLE}: a word per function in their order, then one word
 * that is 0 and belongs to the library's users. The function {@link RuntimeSymbols#INIT_ONCE}
 * returns 0 by itself when the word that its first argument points to is set; it reads that word
 * with acquire order. On x86-64, the functions that read and write registers of compiled code do so
 * themselves where an element is in a list of {@link org.relaxvm.interoptvm.abi.ListCells} and no
 * object has to change its owner, and {@link RuntimeSymbols#CALL} writes an empty cell by itself
 * for a handle {@link org.relaxvm.interoptvm.abi.FunctionHandles#OF_NULL}. The functions {@link
 * #STACK_POINTER} and {@link #CALL_WITHIN} use no word of the table.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why does Java write a shared library (the shim)?"
 */
public final class ElfShim {
  /** To be raised whenever the code of the shim, or what it expects of the table, changes. */
  private static final int LAYOUT = 2;

  /** The symbol of the table; another one for each version of the shim. */
  public static final String TABLE =
      "relaxvm_shim_table_" + LAYOUT + "_" + Integer.toHexString(RuntimeSymbols.ALL.hashCode());

  /** The function without arguments that gives the stack pointer instead of going anywhere. */
  public static final String STACK_POINTER = "relaxvm_shim_stack_pointer";

  /**
   * The function {@code int (function, arguments, count, result, start, length)} that calls {@code
   * function(0, arguments, count, result)} if the stack ends in the {@code length} bytes from
   * {@code start} on. Otherwise it returns {@link #REFUSED} and writes it into the first 32 bits of
   * the result.
   */
  public static final String CALL_WITHIN = "relaxvm_shim_call_within";

  /** What tells that a function was not called, where it is both the code and in the result. */
  public static final int REFUSED = Integer.MIN_VALUE;

  private static final int MOST_FUNCTIONS = 4096;
  private static final int FILE_HEADER_BYTES = 64;
  private static final int SEGMENT_BYTES = 56;
  private static final int SEGMENTS = 4;
  private static final int SYMBOL_BYTES = 24;
  private static final int WORD = 8;
  private static final int DYNAMIC_ENTRIES = 7;
  private static final int DYNAMIC_BYTES = DYNAMIC_ENTRIES * 2 * WORD;
  private static final int READ_EXECUTE = 5;
  private static final int READ_WRITE = 6;

  private final ShimCode code;
  private final List<String> functions;
  private final ByteBuffer names;
  private final int ownName;
  private final int[] nameAt;
  private final int hashAt;
  private final int symbolsAt;
  private final int namesAt;
  private final int codeAt;
  private final int dynamicAt;
  private final long dynamicAddress;
  private final ByteBuffer image;

  private ElfShim(ShimCode code, String ownName, List<String> functions) {
    this.code = code;
    this.functions = functions;
    names = ByteBuffer.allocate(1 + nameBytes(ownName, functions));
    names.put((byte) 0);
    this.ownName = name(ownName);
    nameAt = new int[functions.size() + 1];
    for (int i = 0; i < functions.size(); i++) {
      nameAt[i] = name(functions.get(i));
    }
    nameAt[functions.size()] = name(TABLE);

    int symbols = functions.size() + 2;
    hashAt = FILE_HEADER_BYTES + SEGMENTS * SEGMENT_BYTES;
    symbolsAt = up(hashAt + Integer.BYTES * (2 + 2 * symbols), WORD);
    namesAt = symbolsAt + SYMBOL_BYTES * symbols;
    codeAt = up(namesAt + names.capacity(), code.stride());
    dynamicAt = up(codeAt + code.stride() * functions.size(), WORD);
    // The next pages of memory show the same page of the file once more, now writable.
    dynamicAddress = dynamicAt + (long) up(dynamicAt, code.align());
    image =
        ByteBuffer.allocate(dynamicAt + DYNAMIC_BYTES + tableBytes())
            .order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The bytes of a library.
   *
   * @param machine x86-64 or aarch64
   * @param soname the name by which other libraries may need it
   * @param functions the names of its functions
   * @throws IllegalArgumentException for another machine, for names that are empty, not ASCII or
   *     not unique, and for more than 4096 functions
   */
  public static byte[] image(Machine machine, String soname, List<String> functions) {
    ShimCode code = codeOf(machine);
    check(soname, functions);
    return new ElfShim(code, soname, List.copyOf(functions)).write();
  }

  /**
   * Where a function is, from the table on, in bytes: its address is that of {@link #TABLE} plus
   * this. Its symbol may be that of another library, which the dynamic linker found before.
   *
   * @param functions those of the {@link #image}
   */
  public static long distanceFromTable(
      Machine machine, String soname, List<String> functions, String function) {
    ElfShim shim = new ElfShim(codeOf(machine), soname, List.copyOf(functions));
    int index = functions.indexOf(function);
    if (index < 0) {
      throw new IllegalArgumentException("the shim has no function " + function);
    }
    return shim.codeAt + (long) index * shim.code.stride() - shim.tableAddress();
  }

  private static ShimCode codeOf(Machine machine) {
    return switch (machine) {
      case X86_64 -> ShimCode.X86_64;
      case AARCH64 -> ShimCode.AARCH64;
      default ->
          throw new IllegalArgumentException(
              "no shim for " + machine + ": libraries can be loaded on x86-64 and aarch64");
    };
  }

  private static void check(String soname, List<String> functions) {
    checkName(soname);
    if (functions.size() > MOST_FUNCTIONS) {
      throw new IllegalArgumentException(
          functions.size() + " functions are more than " + MOST_FUNCTIONS);
    }
    Set<String> seen = new HashSet<>(Set.of(TABLE));
    for (String function : functions) {
      checkName(function);
      if (!seen.add(function)) {
        throw new IllegalArgumentException("the symbol " + function + " would be there twice");
      }
    }
  }

  private static void checkName(String name) {
    if (name.isEmpty() || !name.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw new IllegalArgumentException("\"" + name + "\" is no name of printable ASCII");
    }
  }

  private byte[] write() {
    writeFileHeader();
    writeSegments();
    writeHash();
    writeSymbols();
    image.position(namesAt).put(names.array());
    writeCode();
    writeDynamic();
    return image.array();
  }

  private void writeFileHeader() {
    image.position(0);
    image.put(new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1}).position(16);
    image.putShort((short) 3).putShort((short) code.machine()).putInt(1);
    image.putLong(0).putLong(FILE_HEADER_BYTES).putLong(0).putInt(0);
    image.putShort((short) FILE_HEADER_BYTES).putShort((short) SEGMENT_BYTES);
    image.putShort((short) SEGMENTS).putShort((short) 64);
  }

  private void writeSegments() {
    image.position(FILE_HEADER_BYTES);
    int writable = image.capacity() - dynamicAt;
    segment(1, READ_EXECUTE, 0, 0, dynamicAt, code.align());
    segment(1, READ_WRITE, dynamicAt, dynamicAddress, writable, code.align());
    segment(2, READ_WRITE, dynamicAt, dynamicAddress, DYNAMIC_BYTES, WORD);
    // Without this one the loader makes the stacks of all threads executable.
    segment(0x6474_E551, READ_WRITE, 0, 0, 0, 16);
  }

  private void segment(int type, int flags, long offset, long address, long size, long align) {
    image.putInt(type).putInt(flags).putLong(offset).putLong(address).putLong(address);
    image.putLong(size).putLong(size).putLong(align);
  }

  private void writeHash() {
    int symbols = nameAt.length + 1;
    int[] buckets = new int[symbols];
    int[] chains = new int[symbols];
    for (int i = 0; i < nameAt.length; i++) {
      int bucket = Integer.remainderUnsigned(hash(nameAt[i]), symbols);
      chains[i + 1] = buckets[bucket];
      buckets[bucket] = i + 1;
    }
    image.position(hashAt);
    image.putInt(symbols).putInt(symbols);
    image.asIntBuffer().put(buckets).put(chains);
  }

  /** The hash of the System V ABI. */
  private int hash(int at) {
    int hash = 0;
    for (int i = at; names.get(i) != 0; i++) {
      hash = (hash << 4) + names.get(i);
      int high = hash & 0xF000_0000;
      hash = (hash ^ high >>> 24) & ~high;
    }
    return hash;
  }

  private void writeSymbols() {
    image.position(symbolsAt + SYMBOL_BYTES);
    for (int i = 0; i < functions.size(); i++) {
      symbol(nameAt[i], 2, codeAt + (long) i * code.stride(), code.stride());
    }
    symbol(nameAt[functions.size()], 1, tableAddress(), tableBytes());
  }

  private void symbol(int name, int type, long address, long size) {
    // Any section number but those with a meaning of their own, for there are no sections.
    image.putInt(name).put((byte) (1 << 4 | type)).put((byte) 0).putShort((short) 1);
    image.putLong(address).putLong(size);
  }

  private void writeCode() {
    int table = Math.toIntExact(tableAddress() - codeAt);
    image.position(codeAt).put(code.write(functions, table));
  }

  private void writeDynamic() {
    image.position(dynamicAt);
    dynamic(14, ownName);
    dynamic(4, hashAt);
    dynamic(5, namesAt);
    dynamic(6, symbolsAt);
    dynamic(10, names.capacity());
    dynamic(11, SYMBOL_BYTES);
    dynamic(0, 0);
  }

  private void dynamic(long tag, long value) {
    image.putLong(tag).putLong(value);
  }

  private long tableAddress() {
    return dynamicAddress + DYNAMIC_BYTES;
  }

  private int tableBytes() {
    return WORD * (functions.size() + 1);
  }

  private int name(String name) {
    int at = names.position();
    names.put(name.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    return at;
  }

  private static int nameBytes(String ownName, List<String> functions) {
    int bytes = ownName.length() + TABLE.length() + 2;
    for (String function : functions) {
      bytes += function.length() + 1;
    }
    return bytes;
  }

  private static int up(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
  }
}
