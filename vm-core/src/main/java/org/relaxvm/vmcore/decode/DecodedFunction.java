package org.relaxvm.vmcore.decode;

import java.util.List;

/**
 * A bytecode function, decoded. Immutable.
 *
 * @param index in the function table
 * @param entry index in the code array of the first instruction
 * @param end index in the code array after the last instruction
 * @param numArgs number of parameters, which are the first registers
 * @param registers size of a frame: the function's registers and, if it mentions the VM's context,
 *     one more that holds it
 * @param contextRegister the register that holds the context, or -1
 * @param paramNames empty, or one name per parameter
 */
public record DecodedFunction(
    String name,
    int index,
    int entry,
    int end,
    int numArgs,
    int registers,
    int contextRegister,
    List<String> paramNames) {
  /** Copies the names. */
  public DecodedFunction {
    paramNames = List.copyOf(paramNames);
  }
}
