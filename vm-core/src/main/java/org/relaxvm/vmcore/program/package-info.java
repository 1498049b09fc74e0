/**
 * Programs: a verified executable with its metadata, constants and kernels.
 *
 * <p>Start with {@link org.relaxvm.vmcore.program.Program}. {@link
 * org.relaxvm.vmcore.program.ProgramReader} is how another file format joins in; {@link
 * org.relaxvm.vmcore.program.RvmWriter} and {@link org.relaxvm.vmcore.program.RvmReader} are this
 * project's own package format. Nothing here runs a program.
 */
@NullMarked
package org.relaxvm.vmcore.program;

import org.jspecify.annotations.NullMarked;
