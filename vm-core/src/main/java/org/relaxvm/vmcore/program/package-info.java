/**
 * Programs: a verified executable with its metadata, constants and kernels.
 *
 * <p>Start with {@link org.relaxvm.vmcore.program.Program}. {@link
 * org.relaxvm.vmcore.program.ProgramReader} is how another file format joins in; Nothing here runs
 * a program.
 */
@NullMarked
package org.relaxvm.vmcore.program;

import org.jspecify.annotations.NullMarked;
