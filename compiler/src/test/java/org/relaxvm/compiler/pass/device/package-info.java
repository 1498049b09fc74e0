/** Tests of passes for programs on several devices. */
@NullMarked
package org.relaxvm.compiler.pass.device;

import org.jspecify.annotations.NullMarked;
