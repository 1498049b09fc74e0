/**
 * Binding a program to devices and functions: what happens once, when a virtual machine is built.
 * Internal. Start with {@link org.relaxvm.vmcore.link.Linker}.
 */
@NullMarked
package org.relaxvm.vmcore.link;

import org.jspecify.annotations.NullMarked;
