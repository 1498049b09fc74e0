/** Programs of other virtual machines in exported libraries: what their readers implement. */
@NullMarked
package org.relaxvm.interoptvm.spi;

import org.jspecify.annotations.NullMarked;
