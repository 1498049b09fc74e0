/**
 * The executable: its model ({@link org.relaxvm.vmcore.executable.Executable}), the instruction
 * table ({@link org.relaxvm.vmcore.executable.Opcode}), and what reads and writes them.
 */
@NullMarked
package org.relaxvm.vmcore.executable;

import org.jspecify.annotations.NullMarked;
